"""Draws the tree of worlds that the verifier tried, as an SVG that opens in any browser."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from roboinstruct_ros.verify.explore.tree import ROOT, Node, NodeKind, Tree
from roboinstruct_ros.verify.story import shortened

_WIDEST = 60  # characters per line; the tooltip of the box has the complete text
_LONGEST = 12  # lines per box; a longer one loses its middle
_LETTER, _LINE, _PAD, _GAP, _STEM = 6.7, 16.0, 8.0, 12.0, 36.0  # px
_TOP = 44.0  # px, height of the heading

_STYLE = """
text { font: 11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1d2733; }
.title { font: 600 15px system-ui, sans-serif; }
rect { fill: #fff; stroke: #9aa7b4; }
.ends rect { fill: #e7f5ea; stroke: #2e8b4a; }
.violation rect { fill: #fdeaea; stroke: #c62f2f; stroke-width: 1.6; }
.violation text { fill: #9b1c1c; }
.again rect { fill: #fff6e0; stroke: #b47a00; stroke-dasharray: 5 3; }
.left_out rect, .folded rect { fill: #f0f2f5; stroke: #9aa7b4; stroke-dasharray: 2 3; }
path { fill: none; stroke: #9aa7b4; stroke-width: 1.2; }
path.violation { stroke: #c62f2f; stroke-width: 1.8; }
path.again { stroke: #b47a00; stroke-dasharray: 5 3; }
"""

_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    'orient="auto"><path d="M 0 0 L 8 4 L 0 8" style="stroke: #b47a00; stroke-dasharray: none"/>'
    "</marker></defs>"
)


@dataclass
class _Box:
    """Consecutive steps without a choice, or an end; px."""

    nodes: list[int]
    kind: str
    lines: list[str]
    whole: str
    children: list[_Box] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        return max(map(len, self.lines)) * _LETTER + 2 * _PAD

    @property
    def height(self) -> float:
        return len(self.lines) * _LINE + _PAD


def tree_svg(tree: Tree, heading: str) -> str:
    """The picture as SVG; all program text is escaped."""
    below: dict[int, list[int]] = {}
    for number, node in enumerate(tree.nodes[1:], start=1):
        below.setdefault(node.parent, []).append(number)
    root = _box(tree, below, ROOT)
    boxes = _placed(root, _PAD, _TOP)
    width = max(max(box.x + box.width for box in boxes), len(heading) * 9.0) + _PAD
    height = max(box.y + box.height for box in boxes) + 3 * _GAP
    at = {number: box for box in boxes for number in box.nodes}
    drawn = [*_edges(boxes, tree), *_returns(tree, at), *map(_drawn, boxes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{_safe(heading)}">\n'
        f"<style>{_STYLE}</style>\n"
        f"{_HEAD}\n"
        f'<rect width="100%" height="100%" style="fill: #fafbfc; stroke: none"/>\n'
        f'<text class="title" x="{_PAD}" y="26">{_safe(heading)}</text>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _box(tree: Tree, below: dict[int, list[int]], first: int) -> _Box:
    """The box of a node and the steps that follow without a choice, with the boxes after it."""
    nodes = [first]
    while True:
        after = below.get(nodes[-1], [])
        if len(after) != 1 or tree.nodes[after[0]].kind is not NodeKind.STEP:
            break
        nodes.append(after[0])
    texts = [_text(tree.nodes[number]) for number in nodes]
    kind = tree.nodes[first].kind
    shown = [_short(text) for text in texts]
    if kind is not NodeKind.STEP:
        shown = textwrap.wrap(texts[0], _WIDEST, max_lines=4)
    if len(shown) > _LONGEST:
        half = _LONGEST // 2
        shown = [*shown[:half], f"... {len(shown) - 2 * half} steps more", *shown[-half:]]
    children = [_box(tree, below, number) for number in after]
    return _Box(nodes, kind.value, shown, "\n".join(texts), children)


def _text(node: Node) -> str:
    worlds = f"{node.worlds} world{'' if node.worlds == 1 else 's'}"
    if node.kind is NodeKind.FOLDED:
        bad = f", {node.violations} with a violation" if node.violations else ""
        return f"{worlds} more{bad}"
    several = node.kind is not NodeKind.STEP and node.worlds > 1
    return f"{node.text} ({worlds})" if several else node.text


def _short(text: str) -> str:
    """A call in one line, with its answer but without the words that repeat it."""
    text = re.sub(r" answers (True|False): .*", r" answers \1", text.removesuffix("."))
    call, words, answer = text.rpartition(" is answered ")
    tail = shortened(f"{words}{answer}", _WIDEST // 2) if call else ""
    return shortened(call or text, _WIDEST - len(tail)) + tail


def _placed(box: _Box, x: float, y: float) -> list[_Box]:
    """Lay the boxes out from left to right; a box is level with its first child, and last here."""
    box.x, box.y = x, y
    placed: list[_Box] = []
    for child in box.children:
        placed += _placed(child, x + box.width + _STEM, y)
        y = max(one.y + one.height for one in placed) + _GAP
    return [*placed, box]


def _edges(boxes: list[_Box], tree: Tree) -> Iterator[str]:
    for box in boxes:
        x, y = box.x + box.width, box.y + _LINE / 2 + _PAD / 2
        for child in box.children:
            bad = ' class="violation"' if tree.nodes[child.nodes[0]].violations else ""
            to, half = child.y + _LINE / 2 + _PAD / 2, x + _STEM / 2
            yield (
                f'<path{bad} d="M {x:.1f} {y:.1f} C {half:.1f} {y:.1f} {half:.1f} {to:.1f} '
                f'{child.x:.1f} {to:.1f}"/>'
            )


def _returns(tree: Tree, at: dict[int, _Box]) -> Iterator[str]:
    """Edges from a repeated state back to the step where it first occurred."""
    for number, node in enumerate(tree.nodes):
        if node.target is not None:
            box, back = at[number], at[node.target]
            x, y, to = box.x + box.width / 2, box.y + box.height, back.x + back.width / 2
            end = back.y + back.height
            floor = max(y, end) + 3 * _GAP
            yield (
                f'<path class="again" marker-end="url(#head)" d="M {x:.1f} {y:.1f} '
                f'C {x:.1f} {floor:.1f} {to:.1f} {floor:.1f} {to:.1f} {end:.1f}"/>'
            )


def _drawn(box: _Box) -> str:
    lines = "".join(
        f'<text x="{box.x + _PAD:.1f}" y="{box.y + (n + 1) * _LINE:.1f}">{_safe(line)}</text>'
        for n, line in enumerate(box.lines)
    )
    return (
        f'<g class="{box.kind}"><title>{_safe(box.whole)}</title>'
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="6"/>{lines}</g>'
    )


def _safe(text: str) -> str:
    """Text without markup, control characters and lone surrogates, as XML requires."""
    return escape(re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text))
