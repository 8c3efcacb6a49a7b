"""Colours and the style sheet of drawn scenes: by day and by night, after the reader's own setting."""

__all__ = ["style_sheet"]

# token: (face, border, print) by day, then by night
TOKENS = {
    "plain": ("#ffffff", "#8a93a3", "#27303f", "#2b323d", "#7d8798", "#e8ecf3"),
    "blue": ("#e3eeff", "#2f6fd0", "#1c4f9f", "#1b2f4f", "#6ba3f5", "#b9d5ff"),
    "green": ("#e0f5e4", "#2c8a4b", "#1c6636", "#17382a", "#58c27f", "#b5ebc8"),
    "pink": ("#fde6f1", "#cc3f86", "#9d2463", "#45203a", "#f083b8", "#ffc6e0"),
    "yellow": ("#fff6cf", "#bd8f00", "#7d5e00", "#433a13", "#e8c44a", "#ffe79a"),
    "red": ("#ffe7e4", "#cf4034", "#a82820", "#47211f", "#f28379", "#ffc5bf"),
    "black": ("#e4e6eb", "#2b2f38", "#14171d", "#0d1016", "#a4acba", "#eef1f6"),
    "white": ("#ffffff", "#b6bcc7", "#3a4252", "#3a4150", "#d5dae3", "#ffffff"),
    "gray": ("#eceef2", "#77808f", "#4a5260", "#30363f", "#a3adbd", "#d9dfe8"),
    "gold": ("#fdf0d8", "#b9791a", "#84520b", "#43321a", "#e2ab57", "#f8d9a6"),
}
DAY = {"paper": "#f6f7f9", "panel": "#ffffff", "edge": "#dfe3ea", "ink": "#1d2430", "soft": "#5d6777"}
DAY |= {"accent": "#0b7a75", "back": "#51617d", "weave": "#6c7d9b", "own": "#eef6f5"}
NIGHT = {"paper": "#12161c", "panel": "#1a2029", "edge": "#2e3744", "ink": "#e9edf3", "soft": "#9aa6b7"}
NIGHT |= {"accent": "#3cc4b6", "back": "#3c4a62", "weave": "#55657f", "own": "#172b2c"}

RULES = """
{s} text{{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif}}
{s} .mono{{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}}
{s} .paper{{fill:var(--paper)}}
{s} .panel{{fill:var(--panel);stroke:var(--edge)}}
{s} .own{{fill:var(--own)}}
{s} .active{{stroke:var(--accent);stroke-width:2}}
{s} .bar{{fill:var(--accent)}}
{s} .ink{{fill:var(--ink)}}
{s} .soft{{fill:var(--soft)}}
{s} .tip{{fill:var(--accent);font-weight:600}}
{s} .bold{{font-weight:600}}
{s} .back{{fill:var(--back);stroke:var(--panel)}}
{s} .weave{{fill:none;stroke:var(--weave)}}
{s} .count{{fill:#fff;font-weight:700}}
{s} .hole{{fill:var(--paper);stroke:var(--edge)}}
{s} .may{{stroke:var(--accent);stroke-width:2.4}}
{s} .down{{stroke-dasharray:4 3}}
{s} .line{{stroke:var(--ink);stroke-width:3.4}}
"""


def style_sheet(scope: str) -> str:
    """The rules of one drawing; `scope` is its class, so that a page may hold many and is not touched itself."""
    selector = f".{scope}"
    rules: list[str] = []
    for token in TOKENS:
        rules.append(f"{selector} .{token}{{fill:var(--{token}-face);stroke:var(--{token}-edge)}}")
        rules.append(f"{selector} .p-{token}{{fill:var(--{token}-print);font-weight:700}}")
    rules.append(RULES.format(s=selector))  # after the tokens: what may be played has a border of its own
    day = _values(DAY, 0)
    night = _values(NIGHT, 3)
    rules.append(f"{selector}{{{day}}}")
    rules.append(f"@media (prefers-color-scheme: dark){{{selector}{{{night}}}}}")
    return "\n".join(rule.strip() for rule in rules)


def _values(names: dict[str, str], first: int) -> str:
    values = [f"--{name}:{value}" for name, value in names.items()]
    for token, tones in TOKENS.items():
        face, edge, letter = tones[first : first + 3]
        values += [f"--{token}-face:{face}", f"--{token}-edge:{edge}", f"--{token}-print:{letter}"]
    return ";".join(values)
