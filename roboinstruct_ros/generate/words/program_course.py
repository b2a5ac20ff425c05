"""Where a program picks up, puts down and speaks, in the order of its lines."""

from __future__ import annotations

import ast

from roboinstruct_ros.generate.words.program_shape import ProgramShape, leaves

START = ""
"""The place in which the robot begins: no room has this name."""

Places = set[str | None]
"""Where something happens: rooms, `START`, and None for what depends on the world."""


class ProgramCourse:
    """The places of what a program does, in all branches; none if it has functions of its own.

    Attributes:
        things: what it picks up, as far as named.
        rooms: the rooms that it names as destinations.
        picks, places: where it picks up and puts down; not where it only gives up.
        brought: what it puts down where it began, as far as named.
        says: each call of `say`, and where.
        met: whom it asks, or speaks to by name, and where.
        reached: where it drives.
    """

    def __init__(self, shape: ProgramShape) -> None:
        self.things: set[str] = set()
        self.rooms: set[str] = set()
        self.picks: Places = set()
        self.places: Places = set()
        self.brought: set[str] = set()
        self.says: list[tuple[ast.Call, str | None]] = []
        self.met: dict[str, Places] = {}
        self.reached: Places = set()
        self._starts, self._lost = shape.starts, shape.lost
        self._listed: dict[str, set[str]] = {}  # the names that a loop's variable stands for
        if shape.is_one_function:
            self._follow(shape.body, None)

    def _follow(self, body: list[ast.stmt], here: str | None) -> str | None:
        """The place after these lines, if it is known."""
        for line in body:
            if isinstance(line, ast.If):
                self._meet(line.test, here)
                branches = [(one, self._follow(one, here)) for one in (line.body, line.orelse)]
                ends = {end for one, end in branches if not leaves(one)}
                here = ends.pop() if len(ends) == 1 else None
            elif isinstance(line, ast.For | ast.While):
                here = None if _drives(line.body) else here
                if isinstance(line, ast.While):
                    self._meet(line.test, here)
                elif isinstance(line.target, ast.Name):
                    self._listed[line.target.id] = _texts(line.iter)
                self._follow(line.body, here)
                here = self._follow(line.orelse, here)
            elif hasattr(line, "body"):  # a try or a with: it may drive, and may end anywhere
                here = None if _drives([line]) else here
                self._meet(line, here)
            else:
                self._meet(line, here)
                if isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
                    here = self._call(line.value, here)
        return here

    def _meet(self, line: ast.AST, here: str | None) -> None:
        """Whom this line, without lines inside it, asks or speaks to."""
        for call in (node for node in ast.walk(line) if isinstance(node, ast.Call)):
            skill, first = getattr(call.func, "id", ""), next(iter(call.args), None)
            if skill == "ask" and isinstance(first, ast.Name):
                names = self._listed.get(first.id, set())
            else:
                names = {str(first.value)} if isinstance(first, ast.Constant) else set()
            if skill == "say":
                names = {name.partition(",")[0] for name in names if ", " in name}
            for name in names - {""} if skill in ("ask", "say") else ():
                self.met.setdefault(name, set()).add(here)

    def _call(self, call: ast.Call, here: str | None) -> str | None:
        skill, first = getattr(call.func, "id", ""), next(iter(call.args), None)
        name = {str(first.value)} if isinstance(first, ast.Constant) else set()
        if skill == "go_to":
            self.rooms |= name
            home = isinstance(first, ast.Name) and first.id in self._starts
            here = START if home else next(iter(name), None)
            self.reached.add(here)
        elif skill == "pick":
            self.picks.add(here)
            self.things |= name
        elif skill == "place" and call not in self._lost:
            self.places.add(here)
            self.brought |= name if here == START else set()
        elif skill == "say":
            self.says.append((call, here))
        return here


def _texts(node: ast.expr) -> set[str]:
    """The texts of a list."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else ()
    return {str(part.value) for part in parts if isinstance(part, ast.Constant)}


def _drives(body: list[ast.stmt]) -> bool:
    calls = (node for line in body for node in ast.walk(line) if isinstance(node, ast.Call))
    return any(getattr(call.func, "id", "") == "go_to" for call in calls)
