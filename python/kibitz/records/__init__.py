"""Records: one format for the games of all kinds that were played. `docs/records.md` describes it."""

from kibitz.records.lines import read_records, write_records
from kibitz.records.record import Ended, Record, Seated

__all__ = ["Ended", "Record", "Seated", "read_records", "write_records"]
