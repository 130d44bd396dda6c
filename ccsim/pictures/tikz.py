r"""Pictures as TikZ: a renderer for matplotlib that converts paths and texts to commands.

A text is anchored where matplotlib anchors it, so that it fits with other font widths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.path import Path as Outline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text
    from matplotlib.transforms import Transform
    from numpy.typing import ArrayLike

_DOTS = 72  # units of a picture in an inch, which are those of PostScript
_SPECIAL = MappingProxyType(
    {
        **{c: f"\\{c}" for c in "&%$#_{}"},
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "<": "\\ensuremath{<}",
        ">": "\\ensuremath{>}",
        "|": "\\ensuremath{|}",
        "\N{MINUS SIGN}": "\\ensuremath{-}",
        "\N{LESS-THAN OR EQUAL TO}": "\\ensuremath{\\le}",
        "\N{GREATER-THAN OR EQUAL TO}": "\\ensuremath{\\ge}",
        "\N{MULTIPLICATION SIGN}": "\\ensuremath{\\times}",
        "\N{GREEK SMALL LETTER EPSILON}": "\\ensuremath{\\varepsilon}",
        "\N{GREEK SMALL LETTER DELTA}": "\\ensuremath{\\delta}",
        "\N{HORIZONTAL ELLIPSIS}": "\\ldots{}",
    }
)
_ANCHORS = MappingProxyType({"left": (0.0, "base west"), "right": (1.0, "base east")})
_CENTRED = (0.5, "base")
_HEAD = r"""\documentclass{article}
\usepackage[paperwidth=%dbp,paperheight=%dbp,margin=0bp]{geometry}
\usepackage{tikz}
\pagestyle{empty}\parindent=0pt\topskip=0pt\parskip=0pt
\begin{document}
"""


def tikz_text(axes: Axes, *, document: bool = False) -> str:
    r"""Return the figure of some axes as a ``tikzpicture`` environment."""
    figure = axes.figure.figure
    dots, background = figure.dpi, figure.patch.get_visible()
    width, height = (_DOTS * float(inches) for inches in figure.get_size_inches())
    renderer = _Renderer(width, height)
    try:
        figure.dpi = _DOTS
        figure.patch.set_visible(False)
        figure.draw(renderer)
    finally:
        figure.dpi = dots
        figure.patch.set_visible(background)
    lines = [
        "% Drawn by ccsim.pictures; needs \\usepackage{tikz}.",
        "\\begin{tikzpicture}[x=1bp,y=1bp]",
        f"\\useasboundingbox (0,0) rectangle ({_show(width)},{_show(height)});",
        *renderer.lines,
        "\\end{tikzpicture}%",
        "",
    ]
    text = "\n".join(lines)
    if not document:
        return text
    head = _HEAD % (math.ceil(width) + 1, math.ceil(height) + 1)
    return f"{head}{text}\\end{{document}}\n"


class _Renderer(RendererBase):
    """The renderer to which matplotlib draws; it collects TikZ commands."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self._size = width, height
        self.lines: list[str] = []

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size of the picture."""
        return self._size

    def flipy(self) -> bool:
        """Return False, because the vertical axis points upwards."""
        return False

    def points_to_pixels(self, points: ArrayLike) -> ArrayLike:
        """Return points unchanged, because pixels are points here."""
        return points

    def draw_path(
        self,
        gc: GraphicsContextBase,
        path: Outline,
        transform: Transform,
        rgbFace: Any = None,  # noqa: ANN401 - a colour of matplotlib
    ) -> None:
        """Add a path that is filled, drawn, or both."""
        options = []
        if rgbFace is not None:
            strength = gc.get_alpha() if gc.get_forced_alpha() or len(rgbFace) < 4 else rgbFace[3]
            if strength:
                options.append(f"fill={_colour(rgbFace)}")
                options += [f"fill opacity={_show(strength)}"] if strength < 1 else []
        stroke = gc.get_rgb()
        strength = gc.get_alpha() if gc.get_forced_alpha() or len(stroke) < 4 else stroke[3]
        if gc.get_linewidth() and strength:
            options.append(f"draw={_colour(stroke)}")
            options += [f"draw opacity={_show(strength)}"] if strength < 1 else []
            options += _pen(gc)
        if options and (outline := _outline(path, transform)):
            self._keep(gc, f"\\path[{','.join(options)}] {outline};", path, transform)

    def _keep(
        self, gc: GraphicsContextBase, command: str, path: Outline, transform: Transform
    ) -> None:
        """Add a command, inside its clipping region if there is one."""
        clip, clip_transform = gc.get_clip_path()
        frame = gc.get_clip_rectangle()
        scopes = []
        if frame is not None:
            x, y, X, Y = frame.extents
            seen = path.get_extents(transform)
            if not (x <= seen.x0 and seen.x1 <= X and y <= seen.y0 and seen.y1 <= Y):
                corners = f"({_show(x)},{_show(y)}) rectangle ({_show(X)},{_show(Y)})"
                scopes.append(f"\\clip {corners};")
        if clip is not None and clip_transform is not None:
            scopes.append(f"\\clip {_outline(cast('Outline', clip), clip_transform)};")
        if scopes:
            command = "\n".join(["\\begin{scope}", *scopes, command, "\\end{scope}"])
        self.lines.append(command)

    def draw_text(  # noqa: PLR0913, PLR0917 - as matplotlib calls it
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | Literal["TeX"] = False,  # noqa: FBT001, FBT002
        mtext: Text | None = None,
    ) -> None:  # fmt: skip
        """Add one line of a text."""
        width = self.get_text_width_height_descent(s, prop, ismath)[0]
        # of several lines matplotlib does not say which text they are of; ours are centred
        part, anchor = _CENTRED if mtext is None else _ANCHORS.get(_side(mtext), _CENTRED)
        turned = math.radians(angle)
        place = x + part * width * math.cos(turned), y + part * width * math.sin(turned)
        size = prop.get_size_in_points()
        options = [f"anchor={anchor}", "inner sep=0pt", "outer sep=0pt"]
        options += [f"rotate={_show(angle)}"] if angle else []
        colour = gc.get_rgb()
        if tuple(colour[:3]) != (0, 0, 0):
            options.append(f"text={_colour(colour)}")
        if gc.get_alpha() < 1:
            options.append(f"text opacity={_show(gc.get_alpha())}")
        font = f"\\fontsize{{{_show(size)}bp}}{{{_show(1.2 * size)}bp}}\\selectfont"
        bold = "\\bfseries" if prop.get_weight() == "bold" else ""
        where = f"({_show(place[0])},{_show(place[1])})"
        text = _words(s, math=bool(ismath))
        self.lines.append(f"\\node[{','.join(options)}] at {where} {{{font}{bold} {text}}};")

    def draw_image(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        im: ArrayLike,
        transform: Transform | None = None,
    ) -> None:
        """Omit images; no picture contains any."""


def _side(text: Text) -> str:
    """Return the side at which a line of text is anchored; it is rotated with the text."""
    if text.get_rotation() % 180 == 0 or text.get_rotation_mode() == "anchor":
        return str(text.get_horizontalalignment())
    along = {"bottom": "left", "baseline": "left", "top": "right"}
    return along.get(str(text.get_verticalalignment()), "center")


def _show(number: float) -> str:
    text = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _colour(colour: Sequence[float]) -> str:
    red, green, blue = (_show(part) for part in colour[:3])
    return f"{{rgb,1:red,{red};green,{green};blue,{blue}}}"


def _pen(gc: GraphicsContextBase) -> list[str]:
    """Return the TikZ options for the width, ends, joins and dashes of a line."""
    ends = {"butt": "butt", "round": "round", "projecting": "rect"}[gc.get_capstyle()]
    options = [
        f"line width={_show(gc.get_linewidth())}bp",
        f"line cap={ends}",
        f"line join={gc.get_joinstyle()}",
    ]
    offset, dashes = cast("tuple[float | None, Sequence[float] | None]", gc.get_dashes())
    if dashes:
        pattern = " ".join(
            f"{'off' if number % 2 else 'on'} {_show(length)}bp"
            for number, length in enumerate(dashes)
        )
        options += [f"dash pattern={pattern}", f"dash phase={_show(offset or 0)}bp"]
    return options


def _outline(path: Outline, transform: Transform) -> str:
    """Return the operations of a path, with quadratic curves converted to cubic ones."""
    parts = []
    here = (0.0, 0.0)
    for points, code in path.iter_segments(transform, simplify=False):
        numbers = [float(p) for p in points]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        if code == Outline.CLOSEPOLY:
            parts.append("-- cycle")
            continue
        if code == Outline.MOVETO:
            parts.append(_at(pairs[0]))
        elif code == Outline.LINETO:
            parts.append(f"-- {_at(pairs[0])}")
        else:
            if code == Outline.CURVE3:
                (a, b), end = pairs
                first = here[0] + 2 * (a - here[0]) / 3, here[1] + 2 * (b - here[1]) / 3
                second = end[0] + 2 * (a - end[0]) / 3, end[1] + 2 * (b - end[1]) / 3
                pairs = [first, second, end]
            parts.append(
                f".. controls {_at(pairs[0])} and {_at(pairs[1])} .. {_at(pairs[2])}"
            )  # fmt: skip
        here = pairs[-1]
    return " ".join(parts)


def _at(point: tuple[float, float]) -> str:
    return f"({_show(point[0])},{_show(point[1])})"


def _words(text: str, *, math: bool) -> str:
    """Return a text in LaTeX; if requested, text between dollars is mathematics."""
    parts = text.split("$") if math else [text]
    shown = []
    for number, part in enumerate(parts):
        if number % 2:
            shown.append(f"${part.replace('mathdefault', 'mathrm')}$")
        else:
            shown.append("".join(_SPECIAL.get(c, c) for c in part))
    return "".join(shown)
