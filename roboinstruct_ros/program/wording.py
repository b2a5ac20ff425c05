"""Expressions of a task program in plain English."""

from __future__ import annotations

import ast

_SUBSTANCES = frozenset(
    """
    milk water coffee tea juice lemonade beer wine soda oil vinegar bread butter cheese rice pasta
    flour sugar salt pepper honey jam cereal yogurt ketchup mustard mayonnaise meat chicken beef ham
    fish fruit food soup ice chocolate toothpaste shampoo soap detergent sunscreen paint glue tape
    paper cardboard trash rubbish garbage laundry luggage mail post furniture equipment money cash
    medicine cutlery silverware tableware clothing jewelry foil dough
    """.split()
)
"""Nouns that take no article: there is milk."""

ANYBODY = frozenset({"", "person", "someone", "somebody", "anyone", "anybody", "people"})


def named(entity: str) -> str:
    """An entity as it stands in a sentence: `Jack`, `Alice's office`, `the apple`."""
    if is_proper(entity):
        return entity
    return f"the {entity}"


def is_proper(entity: str) -> bool:
    """Whether a name takes no article: it starts large, or with a number or ends with one
    (`classroom 4`), or has one already."""
    first, last = (*entity.split()[:1], *entity.split()[-1:]) or ("", "")
    return (
        not first[:1].islower()
        or last[-1].isdigit()
        or first in ("the", "a", "an", "my", "your", "our")
    )


def one(entity: str) -> str:
    """An entity that may be there: `an apple`, `chairs`, `milk`, `Jack`, `somebody`."""
    if entity.lower() in ANYBODY:
        return "somebody"
    if is_proper(entity) or are_many(entity) or _head(entity) in _SUBSTANCES:
        return entity
    return f"an {entity}" if entity[0].lower() in "aeiou" else f"a {entity}"


def are_many(entity: str) -> bool:
    """Whether a common name is a plural: `chairs`, `bottles of water`; English has no sure sign."""
    noun = _head(entity)
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "lens", "gas"))


def _head(entity: str) -> str:
    """The noun that a common name is about: `bottle` of `cold bottle of water`."""
    return entity.partition(" of ")[0].split()[-1].lower()


def sentence(clause: str) -> str:
    """A clause as a sentence: first letter large, full stop."""
    clause = clause.strip()
    ends = clause.endswith((".", "?", "!", ":", '."', '?"', '!"'))
    return clause[:1].upper() + clause[1:] + ("" if ends else ".")


class Words:
    """Turns expressions into words, given what the variables stand for.

    Attributes:
        meaning: variable name to the phrase that stands for its value.
        presence: variable name to the `is_in_room(...)` whose answer it keeps.
        lists: names of variables that collect things.
        told: questions that have just been told, whose answer is "the answer".
    """

    def __init__(self) -> None:
        self.meaning: dict[str, str] = {}
        self.presence: dict[str, ast.Call] = {}
        self.lists: set[str] = set()
        self.told: set[ast.Call] = set()

    def value(self, node: ast.expr) -> str:
        """A value as a phrase; code where no words are known."""
        if isinstance(node, ast.Name):
            return self.meaning.get(node.id, node.id.replace("_", " "))
        if isinstance(node, ast.Constant):
            return f'"{node.value}"' if isinstance(node.value, str) else str(node.value)
        if isinstance(node, ast.Call):
            return self._call_value(node)
        if isinstance(node, ast.Attribute) and node.attr in ("message", "code"):
            return "what went wrong"
        if isinstance(node, ast.ListComp):
            return self._comprehension(node)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return ", ".join(self.value(e) for e in node.elts) or "nothing yet"
        if isinstance(node, ast.Dict) and not node.keys:
            return "nothing yet"
        if isinstance(node, (ast.BinOp, ast.JoinedStr)) and _is_text(node):
            return f'"{self.text(node)}"'
        return ast.unparse(node)

    def _comprehension(self, node: ast.ListComp) -> str:
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
        self.meaning[ast.unparse(part.target)] = "it"
        tests = [name_test(test, ast.unparse(part.target)) for test in part.ifs]
        if all(tests):
            phrase = f"{items} whose name {' and '.join(tests)}"
        else:
            phrase = f"{items} for which {' and '.join(self.condition(t) for t in part.ifs)}"
        if before is None:
            del self.meaning[ast.unparse(part.target)]
        else:
            self.meaning[ast.unparse(part.target)] = before
        return phrase

    def place(self, node: ast.expr) -> str:
        """A location as a phrase: `the kitchen`, `where I started`."""
        return self._entity(node)

    def thing(self, node: ast.expr) -> str:
        """An object or person as a phrase: `the apple`, `whoever is here`."""
        if isinstance(node, ast.Constant) and str(node.value).lower() in ANYBODY:
            return "whoever is here"
        return self._entity(node)

    def _entity(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return named(node.value)
        return self.text(node) if _is_text(node) else self.value(node)

    def text(self, node: ast.expr) -> str:
        """A text with its parts put together, variables in angle brackets."""
        if isinstance(node, ast.Constant):
            return " ".join(str(node.value).split()) if "\n" in str(node.value) else str(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.text(node.left) + self.text(node.right)
        if isinstance(node, ast.JoinedStr):
            return "".join(self.text(part) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.text(node.value)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("str", "int")
            and node.args
        ):
            return self.text(node.args[0])
        return f"⟨{self.value(node)}⟩"

    def condition(self, node: ast.expr, negated: bool = False) -> str:
        """A condition as a clause, or its opposite."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand, not negated)
        if isinstance(node, ast.BoolOp):
            # "not (a and b)" is "not a or not b"
            joined_by_and = isinstance(node.op, ast.And) != negated
            word = " and " if joined_by_and else " or "
            return word.join(self.condition(part, negated) for part in node.values)
        if _called(node) == "is_in_room":
            assert isinstance(node, ast.Call)
            return self._presence(node, negated)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._comparison(node, negated)
        if isinstance(node, ast.Name) and node.id in self.presence:
            return self._presence(self.presence[node.id], negated, past=True)
        if isinstance(node, ast.Name) and node.id in self.lists:
            return f"{self.value(node)} is {'' if negated else 'not '}empty"
        if isinstance(node, ast.Name) and node.id in self.meaning:
            phrase = self.meaning[node.id]
            return f"it is not so that {phrase}" if negated else phrase
        return f"not {self.value(node)}" if negated else self.value(node)

    def _presence(self, call: ast.Call, negated: bool, past: bool = False) -> str:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not arguments:
            return ast.unparse(call)
        verb, here = ("was", "") if past else ("is", " here")
        argument = arguments[0]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            entity = argument.value
            if entity.lower() in ANYBODY:
                return f"{'nobody' if negated else 'somebody'} {verb}{here or ' there'}"
            if not is_proper(entity):
                if are_many(entity):
                    verb = "were" if past else "are"
                return f"there {verb} {f'no {entity}' if negated else one(entity)}{here}"
        where = "there" if past else "here"
        return f"{self._entity(argument)} {verb} {'not ' if negated else ''}{where}"

    def _comparison(self, node: ast.Compare, negated: bool) -> str:
        operator, left, right = node.ops[0], node.left, node.comparators[0]
        contains = isinstance(operator, (ast.In, ast.NotIn))
        negated ^= isinstance(operator, (ast.NotIn, ast.NotEq))
        if isinstance(right, ast.Constant) and isinstance(right.value, bool) and not contains:
            return self.condition(left, negated == right.value)
        emptiness = self._emptiness(operator, left, right)
        if emptiness is not None:
            verb = "is empty" if emptiness != negated else "is not empty"
            assert isinstance(left, ast.Call)
            return f"{self.value(left.args[0])} {verb}"
        if contains and isinstance(left, ast.Constant):
            verb = "does not contain" if negated else "contains"
            return f"the name of {self.value(right)} {verb} {self.value(left)}"
        if contains:
            return f"{self.value(left)} is {'not ' if negated else ''}one of {self.value(right)}"
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            return f"{self.value(left)} is {'not ' if negated else ''}{self.value(right)}"
        words = {ast.Gt: "more than", ast.Lt: "less than", ast.GtE: "at least", ast.LtE: "at most"}
        phrase = f"{self.value(left)} is {words.get(type(operator), '')} {self.value(right)}"
        return f"it is not so that {phrase}" if negated else phrase

    def _emptiness(self, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> bool | None:
        """Whether `len(x) == 0` and the like say that x is empty; None for other comparisons."""
        counted = isinstance(left, ast.Call) and _called(left) == "len" and len(left.args) == 1
        if not counted or not isinstance(right, ast.Constant):
            return None
        if right.value == 0 and isinstance(operator, (ast.Eq, ast.NotEq)):
            return True  # the caller turns "not equal" round
        if right.value == 0 and isinstance(operator, ast.Gt):
            return False
        return None

    def _call_value(self, node: ast.Call) -> str:
        name = _called(node)
        if name == "len" and node.args:
            return f"the number of {self.value(node.args[0])}"
        if name in ("str", "int", "list", "sorted") and node.args:
            return self.value(node.args[0])
        if name == "get_all_rooms":
            return "all rooms"
        if node in self.told:
            return "the answer"
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "random.choice":
            return f"one of {', '.join(map(self.value, node.args))}, by chance"
        if isinstance(node.func, ast.Attribute) and ast.unparse(node) == "time.time()":
            return "the time now"
        if name == "ask" and len(node.args) > 1:
            return f'the answer to "{self.text(node.args[1])}"'
        if name == "get_current_location":
            return "where I am"
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
            return self.value(node.args[0])
        return ast.unparse(node)


def name_test(test: ast.expr, variable: str, negated: bool = False) -> str:
    """`"lab" in room` as `contains "lab"`; empty for other tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return name_test(test.operand, variable, not negated)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return ""
    operator, word, name = test.ops[0], test.left, test.comparators[0]
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and not name.args:
        name = name.func.value  # room.lower()
    if not isinstance(operator, (ast.In, ast.NotIn)) or not isinstance(word, ast.Constant):
        return ""
    if not isinstance(name, ast.Name) or name.id != variable or not isinstance(word.value, str):
        return ""
    contains = isinstance(operator, ast.In) != negated
    return f'{"contains" if contains else "does not contain"} "{word.value}"'


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
