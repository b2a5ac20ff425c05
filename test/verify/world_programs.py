"""Accepted programs that lean on what the robot knows: things, people, rooms and waiting."""

from __future__ import annotations

from programs import ANSWER, case

WORLDS = [
    case("there may be more of what was picked up", """
        pick("cup")
        if is_in_room("cup"):
            place("cup")
            pick("cup")
        else:
            place("cup")
    """),
    case("what was put down can be picked up again", """
        for _ in range(3):
            pick("cup")
            place("cup")
        if not is_in_room("cup"):
            place("cup")
    """),
    case("whom the robot asked was there", f"""
        ask("Jack", "Well?", {ANSWER})
        if not is_in_room("Jack") or not is_in_room("somebody"):
            place("nothing")
    """),
    case("whoever answered was there", f"""
        if ask("", "Well?", {ANSWER}) == "Yes" and not is_in_room("person"):
            place("nothing")
    """),
    case("all words for somebody mean the same", f"""
        if is_in_room("anyone"):
            ask("Someone", "Well?", {ANSWER})
            if not is_in_room("people"):
                place("nothing")
    """),
    case("somebody else is there", """
        if not is_in_room("Jack"):
            if is_in_room("person"):
                ask("", "Where is Jack?", ["kitchen", "den"])
            else:
                say("Jack?")
    """),
    case("nothing is known of another room", """
        go_to("hall")
        if not is_in_room("cup"):
            go_to("den")
            pick("cup")
    """),
    case("nobody here says nothing of the next room", f"""
        go_to("hall")
        if not is_in_room("person"):
            go_to("den")
            ask("", "Is the hall empty?", {ANSWER})
    """),
    case("after coming back things are as they were", """
        go_to("hall")
        pick("cup")
        place("cup")
        cup = is_in_room("cup")
        go_to("den")
        go_to("hall")
        if is_in_room("cup") != cup:
            place("nothing")
    """),
    case("whom the robot has seen it goes back to", f"""
        go_to("hall")
        if is_in_room("Jack"):
            go_to("den")
            go_to("hall")
            ask("Jack", "Well?", {ANSWER})
    """),
    case("things stay while the robot sleeps", """
        pick("cup")
        place("cup")
        time.sleep(60)
        if not is_in_room("cup"):
            place("nothing")
    """),
    case("a dict of what is there", """
        there = {thing: is_in_room(thing) for thing in ["cup", "hat", "pen"]}
        for thing, seen in there.items():
            if seen:
                pick(thing)
                place(thing)
    """),
    case("two things in turn from room to room", """
        for thing, where in [("cup", "kitchen"), ("book", "study")]:
            go_to("hall")
            if is_in_room(thing):
                pick(thing)
                go_to(where)
                place(thing)
                if not is_in_room(thing):
                    place(thing)
    """),
    case("the hand is looked after by a flag", """
        holding = False
        for thing in ["cup", "hat"]:
            if is_in_room(thing) and not holding:
                pick(thing)
                holding = True
        if holding:
            go_to("den")
    """),
    case("the held thing is remembered by name", """
        held = None
        for thing in ["cup", "hat"]:
            if held is None and is_in_room(thing):
                pick(thing)
                held = thing
        if held is not None:
            place(held)
    """),
    case("spaces around a name do not count", 'pick(" cup")\nplace("cup ")'),
    case("options are made as it runs", """
        options = [str(n) for n in range(1, 4)]
        number = ask("", "How many?", options + ["none"])
        if number != "none":
            assert number in options and 1 <= int(number) <= 3
    """),
    case("an option that is given twice is one option", """
        assert ask("", "Tea?", ["Tea", "Tea"]) == "Tea"
    """),
    case("options in a tuple, by keyword", """
        assert ask("Ann", options=("red", "blue"), question="Colour?") in ("red", "blue")
    """),
    case("an answer that is not offered never comes", """
        if ask("", "Shall I?", ["Yes", "No"]) == "yes":
            pick("cup")
            pick("hat")
    """),
    case("an answer is compared in lower case", """
        answer = ask("", "Shall I?", ["Yes", "No"]).lower()
        if answer not in ("yes", "no"):
            place("nothing")
    """),
    case("every option leads to its own thing", """
        drinks = {"Tea": "tea pot", "Coffee": "coffee can"}
        choice = ask("", "What may I bring?", list(drinks))
        go_to("kitchen")
        pick(drinks[choice])
    """),
    case("a place by a person's answer", """
        where = ask("Ann", "Where to?", ["den", "attic"])
        pick("box")
        go_to(where)
        place("box")
    """),
    case("a skill under another name, and in a list", """
        hello = say
        hello("hi")
        for act, thing in [(pick, "cup"), (place, "cup")]:
            act(thing)
    """),
    case("both outcomes of a coin", """
        thing = random.choice(["cup", "hat"])
        pick(thing)
        place("cup" if thing == "cup" else "hat")
        assert random.sample([1, 2], 2) in ([1, 2], [2, 1])
    """),
]  # fmt: skip

ROOMS = [
    case("only if some room matches", """
        labs = [room for room in get_all_rooms() if room.startswith("lab")]
        if labs:
            go_to(labs[0])
    """),
    case("the first of the rooms in order, if there is one", """
        rooms = sorted(room for room in get_all_rooms() if "office" in room)
        if len(rooms) > 0:
            go_to(rooms[0])
            go_to(rooms[-1])
    """),
    case("the first two of one room are one", """
        for room in get_all_rooms()[:2]:
            go_to(room)
    """),
    case("two matches are needed for two", """
        halls = [room for room in get_all_rooms() if room.endswith("hall")]
        if len(halls) >= 2:
            a, b = halls[:2]
            assert a != b
            go_to(b)
    """),
    case("the next room or none", """
        room = next((r for r in get_all_rooms() if r == "lab"), None)
        if room is not None:
            go_to("lab")
    """),
    case("one of the rooms that match", """
        rooms = [room for room in get_all_rooms() if "lab" in room]
        if rooms:
            go_to(random.choice(rooms))
    """),
    case("names of rooms behave as texts", """
        for room in get_all_rooms():
            assert room.upper().lower() == room.lower()
            assert {room: 1}[room] == 1 and room in {room}
            assert len("the " + room) == 4 + len(f"{room}")
    """),
    case("where the robot is is one of the rooms", """
        rooms = get_all_rooms()
        rooms.remove(get_current_location())
        for room in rooms:
            assert room != get_current_location()
    """),
    case("the list of rooms belongs to the program", """
        rooms = get_all_rooms()
        rooms.clear()
        assert get_all_rooms()
    """),
    case("where the robot went is where it is", """
        for room in get_all_rooms():
            go_to(room)
            if get_current_location() != room:
                place("nothing")
    """),
    case("goes back to where it came from", """
        start = get_current_location()
        seen = is_in_room("cup")
        go_to("den")
        go_to(start)
        if seen:
            pick("cup")
    """),
    case("each room once", """
        seen = set()
        for room in get_all_rooms() + get_all_rooms():
            if room in seen:
                continue
            seen.add(room)
        assert len(seen) == len(get_all_rooms())
    """),
    case("a person chooses from the rooms that there are", """
        rooms = get_all_rooms()
        go_to(ask("", "Which room?", rooms) if rooms else "lobby")
    """),
    case("two words in the names of rooms", """
        for room in get_all_rooms():
            if "lab" in room and "old" in room:
                go_to(room)
            elif "lab" in room:
                assert "old" not in room
    """),
    case("names made as the program runs", """
        for kind in ["main", "guest", "kids"]:
            go_to(f"{kind} bedroom")
    """, closed=True),
    case("letter case and spaces of a room", 'go_to("LIVING  Room")\ngo_to(" study ")',
         closed=True),
    case("an alias leads to the room's own name", """
        go_to("lounge")
        assert get_current_location() == "living room"
    """, closed=True),
    case("a room and its alias are one place", """
        go_to("carport")
        if is_in_room("drill"):
            go_to("garage")
            pick("drill")
    """, closed=True),
    case("the rooms of the home are known", """
        rooms = get_all_rooms()
        assert len(rooms) == 11 and "kitchen" in rooms
        assert len([room for room in rooms if "bedroom" in room]) == 3
        go_to(max(rooms, key=len))
    """, closed=True),
    case("no start in a room that there is not", """
        if get_current_location() == "cellar":
            place("nothing")
    """, closed=True),
    case("an unknown room that is never gone to", """
        if len(get_all_rooms()) > 20:
            go_to("ballroom")
    """, closed=True),
    case("the home has no room that matches", """
        offices = [room for room in get_all_rooms() if room.endswith(" office")]
        assert offices == []
    """, closed=True),
]  # fmt: skip

WAITS = [
    case("waits for somebody and asks", f"""
        go_to("lobby")
        while not is_in_room("person"):
            time.sleep(10)
        ask("", "May I help?", {ANSWER})
    """),
    case("asks until the answer is yes", f"""
        while True:
            if ask("", "Are you ready?", {ANSWER}) == "Yes":
                break
            time.sleep(30)
        go_to("exit")
    """),
    case("gives up after three tries", """
        tries = 0
        while not is_in_room("Ann") and tries < 3:
            time.sleep(60)
            tries += 1
        say("Ann is here" if tries < 3 else "maybe she is not coming")
    """),
    case("gives up in the else of the loop", f"""
        for _ in range(3):
            if is_in_room("person"):
                ask("", "Are you well?", {ANSWER})
                break
            time.sleep(60)
        else:
            say("nobody came")
    """),
    case("looks for somebody in all rooms, again and again", """
        found = False
        while not found:
            for room in get_all_rooms():
                go_to(room)
                if is_in_room("person"):
                    found = True
                    break
            time.sleep(60)
        say("there you are")
    """),
    case("waits in a helper that returns", f"""
        def wait_for(person):
            while True:
                if is_in_room(person):
                    return
                time.sleep(5)
        for person in ["Ann", "Bo"]:
            wait_for(person)
            ask(person, "Tea?", {ANSWER})
    """),
    case("waits with a flag", """
        waiting = True
        while waiting:
            if is_in_room("parcel"):
                waiting = False
            else:
                time.sleep(60)
        pick("parcel")
    """),
    case("waits and goes on with continue", """
        n = 0
        while n < 2:
            if not is_in_room("person"):
                time.sleep(1)
                continue
            say("hello")
            n += 1
    """),
    case("waits for one or the other", """
        while not (is_in_room("Ann") or is_in_room("Bo")):
            time.sleep(10)
        say("hello")
    """),
    case("waits until an hour has passed", """
        end = time.time() + 3600
        while time.time() < end:
            time.sleep(600)
        say("the hour is over")
    """),
    case("a person may be back after a sleep", f"""
        if is_in_room("person"):
            time.sleep(60)
            if not is_in_room("person"):
                time.sleep(60)
                ask("", "Are you back?", {ANSWER})
    """),
    case("a countdown", """
        n = 3
        while n:
            say(str(n))
            time.sleep(1)
            n -= 1
    """),
]  # fmt: skip
