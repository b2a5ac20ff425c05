"""The names that every task program finds, so that no skill can have them."""

from __future__ import annotations

BUILTINS: frozenset[str] = frozenset(
    "abs all any bool dict divmod enumerate filter float int len list map max min pow print range "
    "reversed round set frozenset sorted str sum tuple zip isinstance chr ord repr next iter "
    "True False None "
    "Exception ValueError KeyError IndexError TypeError ZeroDivisionError StopIteration "
    "RuntimeError ArithmeticError LookupError AttributeError AssertionError SkillError".split()
)

MODULES: dict[str, frozenset[str]] = {
    "time": frozenset("sleep time".split()),
    "math": frozenset(
        "ceil floor sqrt pi e inf sin cos tan atan2 hypot degrees radians fabs fmod gcd isclose "
        "log exp pow trunc".split()
    ),
    "random": frozenset("choice randint random shuffle sample uniform".split()),
}
