"""Puts the expressions and names of a task program into words."""

from __future__ import annotations

import ast

from roboinstruct_ros.domain.phrase import Phrase, Said, joined, listed, phrase, text_of
from roboinstruct_ros.domain.thing_names import means_anybody

STARTED = phrase("plan.started")
_SUBSTANCES = frozenset(
    """
    milk water coffee tea juice lemonade beer wine soda oil vinegar bread butter cheese rice pasta
    flour sugar salt pepper honey jam cereal yogurt ketchup mustard mayonnaise meat chicken beef ham
    fish fruit food soup ice chocolate toothpaste shampoo soap detergent sunscreen paint glue tape
    paper cardboard trash rubbish garbage laundry luggage mail post furniture equipment money cash
    medicine cutlery silverware tableware clothing jewelry foil dough
    """.split()
)
"""Mass nouns, which take no article: "there is milk"."""


def named(entity: str) -> str:
    """An entity in the form it has in an English sentence: `Jack`, `Alice's office`, `the
    apple`."""
    return text_of(called(entity))


def called(entity: str) -> Said:
    """As `named`, for every language."""
    return entity if is_proper(entity) else phrase("name.the", name=entity)


def is_proper(entity: str) -> bool:
    """Whether a name takes no article: it begins with a capital or a number, ends with a number
    (`classroom 4`), or already has an article."""
    first, last = (*entity.split()[:1], *entity.split()[-1:]) or ("", "")
    return (
        not first[:1].islower()
        or last[-1].isdigit()
        or first in ("the", "a", "an", "my", "your", "our")
    )


def one(entity: str) -> str:
    """An entity that may be present, in English: `an apple`, `chairs`, `milk`, `Jack`,
    `somebody`."""
    return text_of(_some(entity))


def _some(entity: str) -> Said:
    if means_anybody(entity):
        return phrase("name.somebody")
    if is_proper(entity):
        return entity
    if are_many(entity) or _head(entity) in _SUBSTANCES:
        return phrase("name.some", name=entity)
    return phrase("name.an" if entity[0].lower() in "aeiou" else "name.a", name=entity)


def are_many(entity: str) -> bool:
    """Whether a common name is a plural: `chairs`, `bottles of water`; a heuristic."""
    noun = _head(entity)
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "lens", "gas"))


def _head(entity: str) -> str:
    """The head noun of a common name: `bottle` in `cold bottle of water`."""
    return entity.partition(" of ")[0].split()[-1].lower()


def sentence(clause: str) -> str:
    """A clause as a sentence: capital letter, full stop."""
    clause = clause.strip()
    ends = clause.endswith((".", "?", "!", ":", '."', '?"', '!"'))
    return clause[:1].upper() + clause[1:] + ("" if ends else ".")


class Words:
    """Turns expressions into phrases, given the meaning of the variables.

    Attributes:
        meaning: variable name to the phrase for its value.
        presence: variable name to the `is_in_room(...)` call whose answer it stores.
        lists: names of variables that collect things.
        told: questions narrated just before, whose answer is called "the answer".
    """

    def __init__(self) -> None:
        self.meaning: dict[str, Said] = {}
        self.presence: dict[str, ast.Call] = {}
        self.lists: set[str] = set()
        self.told: set[ast.Call] = set()

    def value(self, node: ast.expr) -> Said:
        """A value as a phrase; source code if there are no words for it."""
        if isinstance(node, ast.Name):
            return self.meaning.get(node.id, node.id.replace("_", " "))
        if isinstance(node, ast.Constant):
            return _quoted(node.value) if isinstance(node.value, str) else str(node.value)
        if isinstance(node, ast.Call):
            return self._call_value(node)
        if isinstance(node, ast.Attribute) and node.attr in ("message", "code"):
            return phrase("plan.what_went_wrong")
        if isinstance(node, ast.ListComp):
            return self._comprehension(node)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and node.elts:
            return listed(self.value(e) for e in node.elts)
        empty_dict = isinstance(node, ast.Dict) and not node.keys
        if empty_dict or isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return phrase("plan.nothing_yet")
        if isinstance(node, (ast.BinOp, ast.JoinedStr)) and _is_text(node):
            return _quoted(self.text(node))
        return ast.unparse(node)

    def _comprehension(self, node: ast.ListComp) -> Said:
        """`[room for room in rooms if "lab" in room]`: all rooms whose name contains "lab"."""
        part = node.generators[0]
        plain = isinstance(node.elt, ast.Name) and isinstance(part.target, ast.Name)
        if (
            len(node.generators) > 1
            or not plain
            or ast.unparse(node.elt) != ast.unparse(part.target)
        ):
            return ast.unparse(node)
        items = self.value(part.iter)
        if not part.ifs:
            return items
        before = self.meaning.get(ast.unparse(part.target))
        self.meaning[ast.unparse(part.target)] = phrase("plan.it")
        tests = [name_test(test, ast.unparse(part.target)) for test in part.ifs]
        known = [test for test in tests if test is not None]
        if len(known) == len(tests):
            which = phrase("plan.whose_name", test=joined("plan.and", known))
        else:
            wanted = [self.condition(test) for test in part.ifs]
            which = phrase("plan.for_which", condition=joined("plan.and", wanted))
        if before is None:
            del self.meaning[ast.unparse(part.target)]
        else:
            self.meaning[ast.unparse(part.target)] = before
        if is_rooms(items):
            return phrase("plan.rooms", which=(which_of(items), which))
        return (items, which)

    def place(self, node: ast.expr) -> Said:
        """A location as a phrase: `the kitchen`, `where I started`."""
        return self._entity(node)

    def thing(self, node: ast.expr) -> Said:
        """An object or person as a phrase: `the apple`, `whoever is here`."""
        if isinstance(node, ast.Constant) and means_anybody(str(node.value)):
            return phrase("name.whoever")
        return self._entity(node)

    def _entity(self, node: ast.expr) -> Said:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return called(node.value)
        return self.text(node) if _is_text(node) else self.value(node)

    def text(self, node: ast.expr) -> Said:
        """A text with its parts joined, variables in angle brackets."""
        if isinstance(node, ast.Constant):
            return " ".join(str(node.value).split()) if "\n" in str(node.value) else str(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return (self.text(node.left), self.text(node.right))
        if isinstance(node, ast.JoinedStr):
            return tuple(self.text(part) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.text(node.value)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("str", "int")
            and node.args
        ):
            return self.text(node.args[0])
        return ("⟨", self.value(node), "⟩")

    def condition(self, node: ast.expr, negated: bool = False) -> Said:
        """A condition as a clause, or its negation."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand, not negated)
        if isinstance(node, ast.BoolOp):
            # "not (a and b)" is "not a or not b"
            joined_by_and = isinstance(node.op, ast.And) != negated
            parts = [self.condition(part, negated) for part in node.values]
            return joined("plan.and" if joined_by_and else "plan.or", parts)
        if _called(node) == "is_in_room":
            assert isinstance(node, ast.Call)
            return self._presence(node, negated)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._comparison(node, negated)
        if isinstance(node, ast.Name) and node.id in self.presence:
            return self._presence(self.presence[node.id], negated, past=True)
        if isinstance(node, ast.Name) and node.id in self.lists:
            return self._empty(node, negated)
        if isinstance(node, ast.Name) and node.id in self.meaning:
            meant = self.meaning[node.id]
            return phrase("plan.not_so", condition=meant) if negated else meant
        value = self.value(node)
        return phrase("plan.not", value=value) if negated else value

    def _presence(self, call: ast.Call, negated: bool, past: bool = False) -> Said:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not arguments:
            return ast.unparse(call)
        time = "was" if past else "is"
        no = "_no" if negated else ""
        argument = arguments[0]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            entity = argument.value
            if means_anybody(entity):
                return phrase(f"plan.{'nobody' if negated else 'somebody'}_{time}")
            if not is_proper(entity):
                if are_many(entity):
                    time = "were" if past else "are"
                what = phrase("name.some", name=entity) if negated else _some(entity)
                return phrase(f"plan.there_{time}{no}", what=what)
        return phrase(f"plan.who_{time}{no}", who=self._entity(argument))

    def _empty(self, counted: ast.expr, empty: bool) -> Said:
        key = "plan.empty" if empty else "plan.empty_no"
        return phrase(key, list=self.value(counted))

    def _comparison(self, node: ast.Compare, negated: bool) -> Said:
        operator, left, right = node.ops[0], node.left, node.comparators[0]
        contains = isinstance(operator, (ast.In, ast.NotIn))
        negated ^= isinstance(operator, (ast.NotIn, ast.NotEq))
        no = "_no" if negated else ""
        if isinstance(right, ast.Constant) and isinstance(right.value, bool) and not contains:
            return self.condition(left, negated == right.value)
        emptiness = self._emptiness(operator, left, right)
        if emptiness is not None:
            assert isinstance(left, ast.Call)
            return self._empty(left.args[0], emptiness != negated)
        first, second = self.value(left), self.value(right)
        if contains and isinstance(left, ast.Constant):
            return phrase(f"plan.name_has{no}", name=second, part=first)
        if contains:
            return phrase(f"plan.one_of{no}", value=first, list=second)
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            return phrase(f"plan.equals{no}", first=first, second=second)
        key = _ORDERS.get(type(operator))
        order: Said = phrase(key, first=first, second=second) if key else ast.unparse(node)
        return phrase("plan.not_so", condition=order) if negated else order

    def _emptiness(self, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> bool | None:
        """Whether a comparison such as `len(x) == 0` means that x is empty; None for other
        comparisons."""
        counted = isinstance(left, ast.Call) and _called(left) == "len" and len(left.args) == 1
        if not counted or not isinstance(right, ast.Constant):
            return None
        if right.value == 0 and isinstance(operator, (ast.Eq, ast.NotEq)):
            return True  # the caller handles "not equal"
        if right.value == 0 and isinstance(operator, ast.Gt):
            return False
        return None

    def _call_value(self, node: ast.Call) -> Said:
        name = _called(node)
        if name == "len" and node.args:
            return phrase("plan.number_of", list=self.value(node.args[0]))
        if name in ("str", "int", "list", "sorted") and node.args:
            return self.value(node.args[0])
        if name == "get_all_rooms":
            return phrase("plan.rooms", which="")
        if node in self.told:
            return phrase("plan.answer")
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "random.choice":
            return phrase("plan.by_chance", list=listed(map(self.value, node.args)))
        if isinstance(node.func, ast.Attribute) and ast.unparse(node) == "time.time()":
            return phrase("plan.time_now")
        if name == "ask" and len(node.args) > 1:
            return phrase("plan.answer_to", question=self.text(node.args[1]))
        if name == "get_current_location":
            return phrase("plan.where_i_am")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
            return self.value(node.args[0])
        return ast.unparse(node)


_ORDERS: dict[type[ast.cmpop], str] = {
    ast.Gt: "plan.more_than",
    ast.Lt: "plan.less_than",
    ast.GtE: "plan.at_least",
    ast.LtE: "plan.at_most",
}


def is_rooms(said: Said) -> bool:
    """Whether the phrase stands for all rooms, or for those that meet a test."""
    return isinstance(said, Phrase) and said.key == "plan.rooms"


def which_of(rooms: Said) -> Said:
    """The test that the rooms meet; empty if it is all rooms."""
    assert isinstance(rooms, Phrase)
    which: Said = rooms.values["which"]
    return which


def name_test(test: ast.expr, variable: str, negated: bool = False) -> Said | None:
    """`"lab" in room` as `contains "lab"`; None for other tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return name_test(test.operand, variable, not negated)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    operator, word, name = test.ops[0], test.left, test.comparators[0]
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and not name.args:
        name = name.func.value  # room.lower()
    if not isinstance(operator, (ast.In, ast.NotIn)) or not isinstance(word, ast.Constant):
        return None
    if not isinstance(name, ast.Name) or name.id != variable or not isinstance(word.value, str):
        return None
    contains = isinstance(operator, ast.In) != negated
    return phrase("plan.contains" if contains else "plan.contains_no", part=word.value)


def _quoted(text: Said) -> Said:
    return phrase("plan.quoted", text=text)


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
