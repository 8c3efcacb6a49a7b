"""What a person sees of a position, said once for every renderer: zones of cards, boards, facts, and words for the ear.

`scene_of` builds a scene from a view or a table, `to_svg` draws any scene. How a single game lays itself out stands in
the module of its name; a game without one is shown as its text drawing.
"""

from kibitz.scenes.scene import Card, Cell, Drawing, Fact, Grid, Scene, Sight, Zone, scene_of
from kibitz.scenes.svg import to_svg

__all__ = ["Card", "Cell", "Drawing", "Fact", "Grid", "Scene", "Sight", "Zone", "scene_of", "to_svg"]
