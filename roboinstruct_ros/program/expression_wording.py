"""Puts the expressions of a task program into words."""

from __future__ import annotations

import ast

from roboinstruct_ros.domain.phrase import Phrase, Said, joined, listed, phrase
from roboinstruct_ros.domain.thing_names import means_anybody
from roboinstruct_ros.program.meanings import Meaning, Meanings
from roboinstruct_ros.program.phrase_kinds import is_answer, is_name, is_rooms, is_text, which_of
from roboinstruct_ros.program.syntax import arguments_of, called, name_of, text_of, walk
from roboinstruct_ros.program.wording import are_many, is_proper, some
from roboinstruct_ros.program.wording import called as with_article

STARTED = phrase("plan.started")


class Words:
    """Turns expressions into phrases, given the meaning of the variables.

    Attributes:
        now: what the variables stand for at the place that is being told.
        shown: the nodes that have been told, in words or as code.
        told: questions narrated just before, whose answer is called "the answer".
    """

    def __init__(self, now: Meanings) -> None:
        self.now = now
        self.shown: set[ast.AST] = set()
        self.told: set[ast.Call] = set()

    def code(self, node: ast.AST) -> Said:
        """An expression or statement as code, in which variables appear by name, and a question
        that has been told as its answer."""
        parts = walk(node)
        self.shown.update(parts)
        own = {part.arg for part in parts if isinstance(part, ast.arg)}
        inner = (part.target for part in parts if isinstance(part, ast.comprehension))
        own |= {name_of(one) for target in inner for one in walk(target)}
        for name in {name_of(part) for part in parts} - own:
            self.now.show(name)
        code = ast.unparse(node)
        for question in self.told.intersection(parts):
            before, found, after = code.partition(ast.unparse(question))
            if found:
                return (before, "⟨", phrase("plan.answer"), "⟩", after)
        return code

    def value(self, node: ast.expr) -> Said:
        """A value as a phrase; source code if there are no words for it."""
        if isinstance(node, ast.Name):
            meaning = self.now.get(node.id)
            if meaning is None or meaning.said is None or meaning.denied is not None:
                self.now.show(node.id)
                return node.id.replace("_", " ")
            return meaning.said
        if isinstance(node, ast.Constant):
            return _quoted(node.value) if isinstance(node.value, str) else str(node.value)
        if isinstance(node, ast.Call):
            return self._call_value(node)
        if isinstance(node, ast.Attribute) and node.attr in _FAULT and name_of(node.value):
            return phrase("plan.what_went_wrong")
        if isinstance(node, ast.ListComp):
            return self._comprehension(node)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and node.elts:
            return listed(map(self.element, node.elts))
        empty_dict = isinstance(node, ast.Dict) and not node.keys
        if empty_dict or isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return phrase("plan.nothing_yet")
        if isinstance(node, (ast.BinOp, ast.JoinedStr)) and _is_string(node):
            return _quoted(self.text(node))
        return self.code(node)

    def element(self, node: ast.expr) -> Said:
        """A value in a list; in brackets if it is a list too."""
        value = self.value(node)
        several = isinstance(node, (ast.List, ast.Tuple, ast.Set)) and node.elts
        return _bracketed(value) if several else value

    def _operand(self, node: ast.expr) -> Said:
        """A value next to other words, in brackets where it is not clear where it ends."""
        value = self.value(node)
        is_code = isinstance(node, _LOOSE) and isinstance(value, str | tuple)
        return _bracketed(value) if is_code else value

    def _comprehension(self, node: ast.ListComp) -> Said:
        """`[room for room in rooms if "lab" in room]`: all rooms whose name contains "lab"."""
        part = node.generators[0]
        name = name_of(part.target)
        if len(node.generators) > 1 or not name or name != name_of(node.elt):
            return self.code(node)
        if any(name not in map(name_of, walk(test)) for test in part.ifs):
            return self.code(node)  # "for which there is a cup here" would mean there
        items = self.value(part.iter)
        if not part.ifs:
            return items
        before, self.now = self.now, self.now.copy()
        self.now.assign(name, Meaning(frozenset(), phrase("plan.it")))
        tests = [name_test(test, name) for test in part.ifs]
        known = [test for test in tests if test is not None]
        if len(known) == len(tests):
            which = phrase("plan.whose_name", test=joined("plan.and", known))
        else:
            wanted = ast.BoolOp(ast.And(), part.ifs) if len(tests) > 1 else part.ifs[0]
            which = phrase("plan.for_which", condition=self.condition(wanted))
        self.now = before
        if is_rooms(items):
            return phrase("plan.rooms", which=(which_of(items), which))
        return (items, which)

    def place(self, node: ast.expr) -> Said:
        """A location as a phrase: `the kitchen`, `where I started`."""
        return self._entity(node)

    def thing(self, node: ast.expr) -> Said:
        """An object or person as a phrase: `the apple`, `whoever is here`."""
        node = self._fixed(node)
        if isinstance(node, ast.Constant) and means_anybody(str(node.value)):
            return phrase("name.whoever")
        return self._entity(node)

    def _fixed(self, node: ast.expr) -> ast.expr:
        """The text that a variable holds, where that is known."""
        meaning = self.now.get(node.id) if isinstance(node, ast.Name) else None
        return node if meaning is None or meaning.text is None else ast.Constant(meaning.text)

    def _entity(self, node: ast.expr) -> Said:
        node = self._fixed(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return with_article(node.value)
        return self.text(node) if _is_string(node) else self.value(node)

    def text(self, node: ast.expr) -> Said:
        """A text with its parts joined, variables in angle brackets."""
        node = self._fixed(node)
        if isinstance(node, ast.Constant):
            return " ".join(str(node.value).split()) if "\n" in str(node.value) else str(node.value)
        if isinstance(node, ast.BinOp) and _joins(node):
            return (self._part(node.left), self._part(node.right))
        if isinstance(node, ast.JoinedStr):
            return tuple(self.text(part) for part in node.values)
        if isinstance(node, ast.FormattedValue):
            if isinstance(node.value, ast.Constant) and node.format_spec is not None:
                return ("⟨", self.code(ast.JoinedStr([node])), "⟩")
            return self.text(node.value)
        if called(node) == "str" and isinstance(node, ast.Call) and len(node.args) == 1:
            return self.text(node.args[0])
        return ("⟨", self.value(node), "⟩")

    def _part(self, node: ast.expr) -> Said:
        """A part of a text; a sum within it joins texts too."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return (self._part(node.left), self._part(node.right))
        return self.text(node)

    def condition(self, node: ast.expr, negated: bool = False) -> Said:
        """A condition as a clause, or its negation."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand, not negated)
        if isinstance(node, ast.BoolOp):
            # "not (a and b)" is "not a or not b"
            joined_by_and = isinstance(node.op, ast.And) != negated
            parts = [self._part_of(part, joined_by_and, negated) for part in node.values]
            return joined("plan.and" if joined_by_and else "plan.or", parts)
        if isinstance(node, ast.Call) and called(node) == "is_in_room":
            return self.presence(node, negated)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._comparison(node, negated)
        known = self.now.known(node.id) if isinstance(node, ast.Name) else None
        if known is not None and _is_list(known):
            return self._empty(node, negated)
        meaning = self.now.get(node.id) if isinstance(node, ast.Name) else None
        said = meaning.said if meaning is not None and meaning.text is None else None
        if meaning is not None and said is not None and not is_rooms(said):
            denied = meaning.denied or phrase("plan.not_so", condition=said)
            return denied if negated else said
        if meaning is not None and isinstance(node, ast.Name):
            self.now.show(node.id)  # rooms or a text are no condition: the name stands for it
            said = node.id.replace("_", " ")
            return phrase("plan.not", value=said) if negated else said
        return phrase("plan.not", value=self._operand(node)) if negated else self.value(node)

    def _part_of(self, node: ast.expr, joined_by_and: bool, negated: bool) -> Said:
        """A part of a condition, in brackets where its end, or how its own parts are joined, is not
        clear."""
        said = self.condition(node, negated)
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node, negated = node.operand, not negated
        if isinstance(node, ast.BoolOp):
            other = (isinstance(node.op, ast.And) != negated) != joined_by_and
        else:
            denied = isinstance(said, Phrase) and said.key == "plan.not_so"
            other = denied or (isinstance(node, ast.IfExp | ast.Lambda) and not negated)
        return _bracketed(said) if other else said

    def presence(self, call: ast.Call, negated: bool, past: bool = False) -> Said:
        """Whether something or somebody is, or was, there."""
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if len(arguments) != 1:
            value = self.code(call)
            return phrase("plan.not", value=value) if negated else value
        self.shown.add(call)
        time = "was" if past else "is"
        no = "_no" if negated else ""
        argument = self._fixed(arguments[0])
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            entity = argument.value
            if means_anybody(entity):
                return phrase(f"plan.{'nobody' if negated else 'somebody'}_{time}")
            if not is_proper(entity):
                if are_many(entity):
                    time = "were" if past else "are"
                what = phrase("name.some", name=entity) if negated else some(entity)
                return phrase(f"plan.there_{time}{no}", what=what)
        return phrase(f"plan.who_{time}{no}", who=self._entity(argument))

    def _empty(self, counted: ast.expr, empty: bool) -> Said:
        key = "plan.empty" if empty else "plan.empty_no"
        value = self.value(counted)
        if isinstance(counted, ast.Name) and is_rooms(value):
            self.now.show(counted.id)
            value = counted.id.replace("_", " ")
        return phrase(key, list=value)

    def _comparison(self, node: ast.Compare, negated: bool) -> Said:
        operator, left, right = node.ops[0], node.left, node.comparators[0]
        contains = isinstance(operator, (ast.In, ast.NotIn))
        meaning = self.now.get(left.id) if isinstance(left, ast.Name) else None
        answers = called(left) == "ask" or (meaning is not None and is_answer(meaning.said))
        is_bool = isinstance(right, ast.Constant) and isinstance(right.value, bool) and not answers
        if is_bool and isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            assert isinstance(right, ast.Constant)
            differs = negated != isinstance(operator, (ast.NotEq, ast.IsNot))
            return self.condition(left, differs == right.value)
        negated ^= isinstance(operator, (ast.NotIn, ast.NotEq))
        no = "_no" if negated else ""
        emptiness = self._emptiness(operator, left, right)
        if emptiness is not None:
            assert isinstance(left, ast.Call)
            return self._empty(left.args[0], emptiness != negated)
        if not contains and not isinstance(operator, (ast.Eq, ast.NotEq, *_ORDERS)):
            code = self.code(node)
            return phrase("plan.not_so", condition=code) if negated else code
        first, second = self._operand(left), self._operand(right)
        one = isinstance(left, ast.Constant) and not is_rooms(second)
        if contains and (one or is_text(second) or is_name(second, but="plan.that")):
            key = "plan.name_has" if is_name(second) else "plan.has"
            return phrase(f"{key}{no}", name=second, part=first)
        if contains:
            return phrase(f"plan.one_of{no}", value=first, list=second)
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            return phrase(f"plan.equals{no}", first=first, second=second)
        order = phrase(_ORDERS[type(operator)], first=first, second=second)
        return phrase("plan.not_so", condition=order) if negated else order

    def _emptiness(self, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> bool | None:
        """Whether a comparison such as `len(x) == 0` means that x is empty; None for other
        comparisons."""
        counted = isinstance(left, ast.Call) and called(left) == "len" and len(left.args) == 1
        if not counted or not isinstance(right, ast.Constant):
            return None
        if right.value == 0 and isinstance(operator, (ast.Eq, ast.NotEq)):
            return True  # the caller handles "not equal"
        if right.value == 0 and isinstance(operator, ast.Gt):
            return False
        return None

    def _call_value(self, node: ast.Call) -> Said:
        self.shown.add(node)
        name, alone = called(node), len(node.args) == 1 and not node.keywords
        if name == "len" and alone:
            counted = self.value(node.args[0])
            letters = is_name(counted) or is_text(counted)
            return self.code(node) if letters else phrase("plan.number_of", list=counted)
        if name == "sorted" and alone and is_rooms(rooms := self.value(node.args[0])):
            return rooms
        if name in ("str", "list") and alone:
            return self.value(node.args[0])
        if name == "int" and alone and is_answer(number := self.value(node.args[0])):
            return number
        if name == "get_all_rooms":
            return phrase("plan.rooms", which="")
        if node in self.told:
            return phrase("plan.answer")
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "random.choice":
            return phrase("plan.by_chance", list=listed(map(self.value, arguments_of(node))))
        if isinstance(node.func, ast.Attribute) and ast.unparse(node) == "time.time()":
            return phrase("plan.time_now")
        if name == "ask" and len(asked := arguments_of(node)) == 3:
            self.now.take(phrase("plan.answer"))
            who, question, options = self.thing(asked[0]), self.text(asked[1]), asked[2]
            return phrase(
                "plan.answer_of", who=who, question=question, options=self.options(options)
            )
        if name == "get_current_location":
            return phrase("plan.where_i_am")
        method = node.func if isinstance(node.func, ast.Attribute) else None
        if method and method.attr == "join" and alone and text_of(method.value) is not None:
            return self.value(node.args[0])
        return self.code(node)

    def options(self, node: ast.expr) -> Said:
        """The answers that a question offers."""
        if isinstance(node, ast.List | ast.Tuple):
            return listed(map(self.text, node.elts), " / ")
        return self.value(node)


_ORDERS: dict[type[ast.cmpop], str] = {
    ast.Gt: "plan.more_than",
    ast.Lt: "plan.less_than",
    ast.GtE: "plan.at_least",
    ast.LtE: "plan.at_most",
}


_FAULT = ("message", "code")
_LISTING = ("get_all_rooms", "list", "sorted")
_SAME_BUT_CASE = ("lower", "upper", "casefold")
_LOOSE = (ast.BoolOp, ast.IfExp, ast.Compare, ast.Lambda, ast.UnaryOp)


def _is_list(meaning: Meaning) -> bool:
    """Whether the variable holds a list, whichever assignment was the last."""
    names = (one for one in meaning.assigned if name_of(getattr(one, "targets", [None])[0]))
    values = [getattr(one, "value", None) for one in names]
    lists = [v for v in values if isinstance(v, ast.List | ast.ListComp) or called(v) in _LISTING]
    return meaning.is_list or 0 < len(meaning.assigned) == len(lists)


def name_test(test: ast.expr, variable: str, negated: bool = False) -> Said | None:
    """`"lab" in room` as `contains "lab"`; None for other tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return name_test(test.operand, variable, not negated)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    operator, word, name = test.ops[0], test.left, test.comparators[0]
    if not isinstance(operator, (ast.In, ast.NotIn)) or not isinstance(word, ast.Constant):
        return None
    if not isinstance(word.value, str):
        return None
    method = name.func if isinstance(name, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr in _SAME_BUT_CASE:
        if word.value != getattr(word.value, method.attr)():
            return None  # no name contains it
        name = method.value  # room.lower()
    if name_of(name) != variable:
        return None
    contains = isinstance(operator, ast.In) != negated
    return phrase("plan.contains" if contains else "plan.contains_no", part=word.value)


def _quoted(text: Said) -> Said:
    return phrase("plan.quoted", text=text)


def _bracketed(said: Said) -> Said:
    return ("(", said, ")")


def _joins(node: ast.expr) -> bool:
    """Whether a value is a text, as a sum of texts is."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and (_joins(node.left) or _joins(node.right))
    func = node.func if isinstance(node, ast.Call) else None
    return _is_string(node) or called(node) == "str" or getattr(func, "attr", "") == "join"


def _is_string(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_string(node.left) or _is_string(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
