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
    case("BaseException", "try:\n    pass\nexcept BaseException:\n    pass",
         "forbidden_construct", 4),
    case("a global skill", "global go_to\ngo_to = 1", "forbidden_construct", 3),
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
    case("says half a character", "say('%c' % 0xD800)", "wrong_arguments", 2),
    case("asks for half a character", "ask('', 'Well?', [f'{0xD800:c}'])", "wrong_arguments", 2),
    case("says a book", "say('x' * 10**7)", "wrong_arguments", 2),
    case("offers a library", "ask('', 'Well?', [str(n) * 999 for n in range(9)])",
          "wrong_arguments", 2),
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
    case("finally places what a failed skill has not picked",
          'try:\n    pick("a")\nfinally:\n    place("a")', "hand_empty", 5),
    case("so does one behind a handler that catches something else",
          'try:\n    pick("a")\nexcept ValueError:\n    pass\nfinally:\n    place("a")',
          "hand_empty", 7),
    case("a finally after a skill that fails in a handler", """
        pick("a")
        try:
            raise ValueError("no")
        except ValueError:
            place("a")
        finally:
            pick("b")
    """, "hand_full", 8),
    case("a finally reads the answer that a failed skill did not give",
          'try:\n    said = ask("Bob", "Well?", ["yes"])\nfinally:\n    say(said)',
          "python_error", 5),
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

WRONG_TEXTS = [
    case("too long", "#raw\n# " + "a" * 20_000 + "\ndef task_program():\n    pass", "too_long"),
    case("an open bracket", 'say("hello"', "syntax_error", 2),
    case("a break without a loop", "for n in [1]:\n    pass\nbreak", "syntax_error", 4),
    case("nonlocal where there is no outer name", "nonlocal count\ncount = 1", "syntax_error", 2),
    case("words around the program", "#raw\nSure! Here it is:\ndef task_program():\n    pass",
         "syntax_error", 1),
    case("a body that is not indented", "#raw\ndef task_program():\ngo_to('x')", "syntax_error", 2),
    case("an inner function of that name only",
         "#raw\ndef main():\n    def task_program():\n        pass", "no_task_program"),
    case("an optional parameter", "#raw\ndef task_program(room='den'):\n    pass",
         "task_program_parameters", 1),
    case("the call under the program", "#raw\ndef task_program():\n    pass\ntask_program()",
         "forbidden_construct", 3),
    case("a skill before the program begins",
         "#raw\nROOMS = get_all_rooms()\ndef task_program():\n    pass", "forbidden_construct", 1),
    case("asks at the keyboard", 'name = input("Who?")', "forbidden_construct", 2),
    case("leaves by exit", "exit()", "forbidden_construct", 2),
    case("an f-string that opens a file", "say(f\"{open('x')}\")", "forbidden_construct", 2),
    case("a method of lists that there is not", 'x = []\nx.push("cup")', "forbidden_construct", 3),
    case("a part of random that there is not", "random.seed(1)", "forbidden_construct", 2),
    case("names of all variables", "say(str(locals()))", "forbidden_construct", 2),
    case("an import with another name", "import time as t\nx = t", "forbidden_construct", 2),
    case("a match", 'x = 1\nmatch x:\n    case 1:\n        pass', "forbidden_construct", 3),
    case("a lambda that yields", "f = lambda: (yield)", "forbidden_construct", 2),
    case("a break out of finally",
         "for n in [1]:\n    try:\n        pass\n    finally:\n        break",
         "forbidden_construct", 6),
    case("a parameter hides a skill", "def tell(say):\n    pass", "forbidden_construct", 2),
    case("a loop variable hides a skill", 'for pick in ["a"]:\n    pass', "forbidden_construct", 2),
    case("time gets another meaning", "time = 3\ntime.sleep(1)", "forbidden_construct", 3),
    case("an attribute is set", "x = [1]\nx.pop = 3", "forbidden_construct", 3),
    case("sleeps without its module", "sleep(1)", "unknown_skill", 2),
    case("an unknown function in a lambda", "f = lambda: grasp('cup')", "unknown_skill", 2),
    case("a misspelt variable", "rooms = [1]\nfor r in room:\n    pass", "unknown_name", 3),
    case("a module that is not there", "now = datetime", "unknown_name", 2),
    case("a name of a helper's own", "def f():\n    return thing\nsay(f())", "unknown_name", 3),
]  # fmt: skip

WRONG_ARGUMENTS = [
    case("options are missing", 'ask("Ann", "Well?")', "wrong_arguments", 2),
    case("options are None", 'ask("Ann", "Well?", options=None)', "wrong_arguments", 2),
    case("options are numbers", 'ask("", "How many?", [1, 2, 3])', "wrong_arguments", 2),
    case("options in a set", 'ask("", "Well?", {"Yes", "No"})', "wrong_arguments", 2),
    case("an argument twice", 'say("a", message="b")', "wrong_arguments", 2),
    case("a question of nothing", 'ask("Ann", "", ["Yes"])', "wrong_arguments", 2),
    case("a name of blanks", 'pick("  ")', "wrong_arguments", 2),
    case("says a list", 'say(["cup", "hat"])', "wrong_arguments", 2),
    case("bytes for a room", 'go_to(b"den")', "wrong_arguments", 2),
    case("looks for True", "is_in_room(True)", "wrong_arguments", 2),
    case("an argument where none is taken", 'get_all_rooms("ground floor")', "wrong_arguments", 2),
    case("says what an empty list makes", 'say(", ".join([]))', "wrong_arguments", 2),
    case("a truth value for a text", 'here = is_in_room("cup")\nsay(here)', "wrong_arguments", 3),
    case("puts down what picking gave", 'held = pick("cup")\nplace(held)', "wrong_arguments", 3),
    case("a list of rooms for a room", "go_to(get_all_rooms())", "wrong_arguments", 2),
    case("numbers as options when it runs", 'sizes = [1, 2]\nask("", "Size?", sizes)',
         "wrong_arguments", 3),
    case("no room to choose from", """
        rooms = [room for room in get_all_rooms() if "lab" in room]
        ask("", "Which lab?", rooms)
    """, "wrong_arguments", 3),
    case("too many arguments out of a list", 'go_to(*["den", "hall"])', "wrong_arguments", 2),
    case("a wrong key out of a dict", 'say(**{"text": "hi"})', "wrong_arguments", 2),
    case("a helper forgets its return", """
        def first(things):
            things[0]
        pick(first(["cup"]))
    """, "wrong_arguments", 4),
    case("a skill under another name", "act = say\nact(3)", "wrong_arguments", 3),
    case("a number in one world only", """
        count = "many"
        if is_in_room("cup"):
            count = 1
        say(count)
    """, "wrong_arguments", 5),
]  # fmt: skip

WRONG_KINDS = [
    case("looks for a room", 'go_to("den")\nis_in_room("den")', "entity_type_conflict", 3),
    case("looks for a room of the map", 'is_in_room("living room")', "entity_type_conflict", 2,
         closed=True),
    case("asks a room", 'go_to("hall")\nask("hall", "Hello?", ["Yes"])',
         "entity_type_conflict", 3),
    case("picks up whom it asked", 'ask("Jack", "Ready?", ["Yes"])\npick("Jack")',
         "entity_type_conflict", 3),
    case("goes to whom it asked", 'ask("Jack", "Ready?", ["Yes"])\ngo_to("Jack")',
         "entity_type_conflict", 3),
    case("goes to whom it looked for", 'if is_in_room("Ann"):\n    go_to("Ann")',
         "entity_type_conflict", 3),
    case("puts somebody down", 'pick("cup")\nplace("somebody")', "entity_type_conflict", 3),
    case("a room of the list for a person", """
        for room in get_all_rooms():
            go_to(room)
            ask(room, "Anybody here?", ["Yes"])
    """, "entity_type_conflict", 4),
    case("not the kitchen in any spelling", 'pick("Kitchen ")', "entity_type_conflict", 2,
         closed=True),
]  # fmt: skip

WRONG_PLACES = [
    case("one of three rooms is not there", """
        for room in ["kitchen", "study", "wine cellar"]:
            go_to(room)
    """, "unknown_location", 3, closed=True),
    case("a name made of two", 'go_to("guest" + " " + "bath")', "unknown_location", 2, closed=True),
    case("an option that is no room", 'go_to(ask("", "Where?", ["study", "gym"]))',
         "unknown_location", 2, closed=True),
    case("a handler does not make a room", """
        try:
            go_to("gym")
        except Exception:
            go_to("hallway")
    """, "unknown_location", 3, closed=True),
    case("a plural of a room", 'go_to("bedrooms")', "unknown_location", 2, closed=True),
    case("only in a far branch", """
        if is_in_room("cup") and not is_in_room("hat"):
            go_to("hallway" if is_in_room("pen") else "halway")
    """, "unknown_location", 3, closed=True),
]  # fmt: skip
