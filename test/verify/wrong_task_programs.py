"""Tasks as a language model writes them, each with a slip of the kind that such models make."""

from __future__ import annotations

from programs import case

WRONG_TASKS = [
    case("collects both things before it delivers one", """
        items = ["umbrella", "coat"]
        go_to("hallway")
        for item in items:
            if is_in_room(item):
                pick(item)
        go_to("study")
        for item in items:
            place(item)
    """, "hand_full", 6, closed=True),
    case("puts both down, though only one was there", """
        items = ["umbrella", "coat"]
        carried = []
        go_to("hallway")
        for item in items:
            if is_in_room(item) and not carried:
                pick(item)
                carried.append(item)
        go_to("study")
        place(carried[0] if carried else items[0])
    """, "hand_empty", 10, closed=True),
    case("keeps the gift of whoever declines", """
        for person in ["Ann", "Bo"]:
            go_to("shop")
            pick("gift")
            go_to(f"{person}'s office")
            answer = ask(person, "Would you like a gift?", ["Yes", "No"])
            if answer == "Yes":
                place("gift")
        go_to("shop")
    """, "hand_full", 4),
    case("searches, then asks wherever it ended", """
        for room in ["study", "kitchen", "garage"]:
            go_to(room)
            if is_in_room("Bob"):
                break
        answer = ask("Bob", "Shall I close the garage?", ["Yes", "No"])
        if answer == "Yes":
            go_to("garage")
    """, "person_absent", 6, closed=True),
    case("the home has three bedrooms, and none of that name", """
        start = get_current_location()
        go_to("bedroom")
        if is_in_room("pillow"):
            pick("pillow")
            go_to(start)
            place("pillow")
        else:
            go_to(start)
    """, "unknown_location", 3, closed=True),
    case("half of the apples of an answer in words", """
        amount = ask("Alice", "How many apples?", ["one", "two", "none"])
        if amount != "none":
            for _ in range(int(amount)):
                go_to("kitchen")
                pick("apple")
                go_to("living room")
                place("apple")
    """, "misused_result", 4, closed=True),
    case("the mean over people who may all be out", """
        scores = []
        for person in ["Ann", "Bo"]:
            go_to(f"{person}'s office")
            if is_in_room(person):
                scores.append(int(ask(person, "How satisfied are you?", ["1", "2"])))
        go_to("lobby")
        say(f"The mean is {sum(scores) / len(scores):.1f}")
    """, "python_error", 8),
    case("the winner of a vote without votes", """
        votes = {}
        for room in ["office 1", "office 2"]:
            go_to(room)
            if is_in_room("person"):
                choice = ask("", "Pizza or pasta?", ["pizza", "pasta"])
                votes[choice] = votes.get(choice, 0) + 1
        say("We eat " + max(votes, key=votes.get))
    """, "python_error", 8),
    case("the room is known only where the phone was found", """
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("phone"):
                found_in = room
                break
        go_to("reception")
        say("Your phone is in " + found_in)
    """, "python_error", 8),
    case("waits with a flag that nothing sets", """
        here = is_in_room("Alice")
        go_to("hallway")
        tries = 0
        while not here:
            say("Alice, please come to the hallway.")
            time.sleep(10)
            if tries > 5:
                break
        go_to("garage")
    """, "non_termination", 5, closed=True),
    case("opens doors that it has no skill for", """
        for room in ["study", "garage"]:
            go_to(room)
            if is_in_room("open window"):
                close("window")
                say("I closed the window.")
            else:
                say("All is closed.")
    """, "unknown_skill", 5, closed=True),
    case("waits with an import", """
        #raw
        from time import sleep
        def task_program():
            go_to("lobby")
            for _ in range(3):
                if is_in_room("person"):
                    say("Welcome!")
                    break
                sleep(5)
    """, "forbidden_construct", 1),
    case("takes one thing and puts down another", """
        tool = ask("", "Which tool do you need?", ["hammer", "drill"])
        start = get_current_location()
        go_to("garage")
        pick(tool)
        go_to(start)
        place("hammer")
        say("Here is the " + tool)
    """, "not_held", 7, closed=True),
    case("looks in one room and takes in the next", """
        go_to("kitchen")
        has_milk = is_in_room("milk")
        go_to("garage")
        if not has_milk and is_in_room("milk"):
            go_to("kitchen")
            pick("milk")
            go_to("garage")
            place("milk")
    """, "object_absent", 7, closed=True),
    case("an order in two words that may be one", """
        order = ask("", "Your order?", ["large tea", "small tea", "water"])
        size, drink = order.split(" ")
        go_to("kitchen")
        pick(drink)
        go_to("lobby")
        place(drink)
        say(f"Here is your {size} {drink}.")
    """, "python_error", 3),
    case("says the number of rooms", """
        dirty = []
        for room in get_all_rooms():
            if room.endswith("lab"):
                go_to(room)
                if is_in_room("spill"):
                    dirty.append(room)
        go_to("office")
        say(len(dirty))
    """, "wrong_arguments", 9),
    case("goes to the first of the labs, if there is one", """
        labs = [room for room in get_all_rooms() if "lab" in room]
        go_to(labs[0])
        if is_in_room("microscope"):
            pick("microscope")
            go_to(labs[1])
            place("microscope")
        say("done")
    """, "python_error", 6),
    case("counts the rounds in another function", """
        rounds = 0
        def greet():
            rounds = 1
            say("Welcome to the exhibition!")
            time.sleep(60)
        go_to("entrance")
        while rounds < 3:
            greet()
        say("Three visitors have been welcomed.")
    """, "non_termination", 4),
    case("gives its only cup to two people", """
        go_to("kitchen")
        pick("cup")
        for person, room in [("Alice", "living room"), ("Bob", "study")]:
            go_to(room)
            if is_in_room(person):
                say(f"{person}, here is your tea.")
                place("cup")
    """, "hand_empty", 8, closed=True),
    case("takes a person for a thing to carry", """
        start = get_current_location()
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("Emma"):
                ask("Emma", "Shall we go?", ["Yes", "No"])
                pick("Emma")
                go_to(start)
                return
    """, "entity_type_conflict", 7),
]  # fmt: skip
