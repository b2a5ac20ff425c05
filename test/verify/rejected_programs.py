"""Programs that must be rejected, with a code and, where it is sure, a line."""

from __future__ import annotations

from programs import case

REJECTED = [
    case("not Python", "#raw\ndef task_program(:\n    pass", "syntax_error", 1),
    case("a null byte", "#raw\ndef task_program():\n    say('\0')", "syntax_error"),
    case("no task_program", "#raw\ndef main():\n    pass", "no_task_program"),
    case("two task_programs", "#raw\ndef task_program():\n    pass\ndef task_program():\n    pass",
          "no_task_program", 3),
    case("parameters", "#raw\ndef task_program(room):\n    pass", "task_program_parameters", 1),
    case("runs outside the function", "#raw\ngo_to('x')\ndef task_program():\n    pass",
          "forbidden_construct", 1),
    case("imports os", "#raw\nimport os\ndef task_program():\n    os.system('ls')",
          "forbidden_construct", 1),
    case("imports inside", "import subprocess", "forbidden_construct", 2),
    case("from import", "from os import path", "forbidden_construct", 2),
    case("opens a file", 'open("/etc/passwd")', "forbidden_construct", 2),
    case("eval", 'eval("1")', "forbidden_construct", 2),
    case("dunder walk", "x = ().__class__.__base__", "forbidden_construct", 2),
    case("a fork through dunders",
          "while True:\n    ().__class__.__base__.__subclasses__()[0].__init__.__globals__",
          "forbidden_construct", 3),
    case("dunder name", "x = __builtins__", "forbidden_construct", 2),
    case("getattr", 'getattr("", "join")', "forbidden_construct", 2),
    case("format walks attributes", 'say("{0.real}".format(1))', "forbidden_construct", 2),
    case("a frame of a generator", "x = (i for i in [1])\ny = x.gi_frame",
          "forbidden_construct", 3),
    case("a class", "class A:\n    pass", "forbidden_construct", 2),
    case("with", 'with open("x"):\n    pass', "forbidden_construct", 2),
    case("yield", "yield 1", "forbidden_construct", 2),
    case("async", "#raw\nasync def task_program():\n    pass", "no_task_program"),
    case("a decorator", "@print\ndef f():\n    pass", "forbidden_construct", 3),
    case("bare except", "try:\n    pass\nexcept:\n    pass", "forbidden_construct", 4),
    case("BaseException", "try:\n    pass\nexcept BaseException:\n    pass", "forbidden_construct", 4),
    case("global", "global x\nx = 1", "forbidden_construct", 2),
    case("a skill with another meaning", "go_to = print", "forbidden_construct", 2),
    case("an unknown skill", 'fly_to("moon")', "unknown_skill", 2),
    case("a misspelt skill", 'goto("kitchen")', "unknown_skill", 2),
    case("an unknown name", "say(nobody_set_this)", "unknown_name", 2),
    case("os.environ through time", "time.os", "forbidden_construct", 2),
    case("missing argument", "go_to()", "wrong_arguments", 2),
    case("extra argument", 'go_to("a", "b")', "wrong_arguments", 2),
    case("wrong keyword", 'go_to(place="a")', "wrong_arguments", 2),
    case("a number for a room", "go_to(3)", "wrong_arguments", 2),
    case("an empty room", 'go_to("")', "wrong_arguments", 2),
    case("no options", 'ask("", "well?", [])', "wrong_arguments", 2),
    case("options that are a text", 'ask("", "well?", "Yes")', "wrong_arguments", 2),
    case("an empty option", 'ask("", "well?", ["Yes", ""])', "wrong_arguments", 2),
    case("wrong type found when it runs", "x = 3\nsay(x)", "wrong_arguments", 3),
    case("None for a room", "x = say('hi')\ngo_to(x)", "wrong_arguments", 3),
    case("an unknown room", 'go_to("kitchn")', "unknown_location", 2, closed=True),
    case("picks twice", 'pick("a")\npick("b")', "hand_full", 3),
    case("places with an empty hand", 'place("a")', "hand_empty", 2),
    case("places something else", 'pick("a")\nplace("b")', "not_held", 3),
    case("places twice", 'pick("a")\nplace("a")\nplace("a")', "hand_empty", 4),
    case("picks what is not there", 'if not is_in_room("a"):\n    pick("a")', "object_absent", 3),
    case("asks nobody", 'if not is_in_room("person"):\n    ask("", "?", ["Yes", "No"])',
          "person_absent", 3),
    case("asks Jack where nobody is",
          'if not is_in_room("person"):\n    ask("Jack", "?", ["Yes", "No"])', "person_absent", 3),
    case("goes to an apple", 'pick("apple")\ngo_to("apple")', "entity_type_conflict", 3),
    case("asks an apple", 'pick("apple")\nplace("apple")\nask("apple", "?", ["Yes"])',
          "entity_type_conflict", 4),
    case("picks a room of the map", 'pick("garage")', "entity_type_conflict", 2, closed=True),
    case("a rare path", """
        n = 0
        for thing in ["a", "b", "c", "d", "e", "f", "g"]:
            if is_in_room(thing):
                n += 1
        if n == 7:
            pick("x")
            pick("y")
    """, "hand_full", 8),
    case("one chance in six", 'if random.randint(1, 6) == 4:\n    pick("a")\n    pick("b")',
          "hand_full", 4),
    case("a chance above a half",
          'if random.random() > 0.7:\n    pick("a")\n    pick("b")', "hand_full", 4),
    case("a chance below a half",
          'if random.random() < 0.3:\n    pick("a")\n    pick("b")', "hand_full", 4),
    case("a rare order", """
        things = ["a", "b", "c"]
        random.shuffle(things)
        if things == ["c", "a", "b"]:
            pick("a")
            pick("b")
    """, "hand_full", 6),
    case("only when it took long",
          'start = time.time()\nif time.time() - start > 60:\n    place("a")', "hand_empty", 4),
    case("a return swallows the violation",
          'try:\n    pick("a")\n    pick("b")\nfinally:\n    return', "forbidden_construct", 6),
    case("a loop swallows the violation",
          'while True:\n    try:\n        place("a")\n    finally:\n        continue',
          "forbidden_construct", 6),
    case("catching every exception hides nothing",
          'try:\n    place("a")\nexcept Exception:\n    pass', "hand_empty", 3),
    case("picks somebody", 'pick("person")', "entity_type_conflict", 2),
    case("picks a room of the list", """
        for room in get_all_rooms():
            if "lab" in room:
                pick(room)
    """, "entity_type_conflict", 4),
    case("one in each room, with one hand", """
        for room in get_all_rooms():
            go_to(room)
            pick("toy")
    """, "hand_full", 4),
    case("only in some start room",
          'if len(get_current_location()) > 9:\n    place("a")', "hand_empty", 3, closed=True),
    case("only in one start room of the open world",
          'if get_current_location() == "lab":\n    place("a")', "hand_empty", 3),
    case("nested too deeply", "x = 1" + " + 1" * 200, "forbidden_construct", 2),
    case("nested far too deeply", "x = 1" + "+1" * 6000, "syntax_error"),
    case("index out of range", 'x = [][0]', "python_error", 2),
    case("no room matches", """
        rooms = [room for room in get_all_rooms() if "bedroom" in room]
        go_to(rooms[0])
    """, "python_error", 3),
    case("adds a number to a text", 'say("n" + 1)', "python_error", 2),
    case("divides by zero", "x = 1 / 0", "python_error", 2),
    case("raises", 'raise ValueError("no")', "python_error", 2),
    case("sleeps backwards", "time.sleep(-1)", "python_error", 2),
    case("never ends", "while True:\n    pass", "non_termination"),
    case("patrols for ever", 'while True:\n    go_to("a")\n    go_to("b")', "non_termination"),
    case("counts too far", "n = 0\nwhile n < 10 ** 9:\n    n += 1", "step_budget"),
    case("recurses for ever", "def f():\n    f()\nf()", "python_error"),
]  # fmt: skip
