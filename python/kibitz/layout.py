"""Rows laid out for people: as plain text, for a rich console, as HTML."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table as RichTable

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """A table of texts with a header.

    >>> print(Layout(("move", "visits"), [("p", "7"), ("d4", "993")], right={"visits"}).text())
    move  visits
    p          7
    d4       993
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[str] = field(default_factory=frozenset)  # headers of the columns set to the right

    def text(self) -> str:
        """Aligned columns, two spaces apart, no trailing space."""
        lines = [tuple(self.header), *(tuple(row) for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.header))]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if name in self.right else cell.ljust(width)
                for cell, width, name in zip(line, widths, self.header, strict=True)
            ).rstrip()
            for line in lines
        )

    def rich(self) -> "RichTable":
        """For a rich console."""
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for name in self.header:
            table.add_column(name, justify="right" if name in self.right else "left")
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        return table

    def html(self) -> str:
        """A bare HTML table."""
        head = "".join(f"<th{self._style(name)}>{escape(name)}</th>" for name in self.header)
        body = "".join(
            "<tr>"
            + "".join(
                f"<td{self._style(name)}>{escape(cell)}</td>"
                for name, cell in zip(self.header, row, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _style(self, name: str) -> str:
        return ' style="text-align:right"' if name in self.right else ' style="text-align:left"'
