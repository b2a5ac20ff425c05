"""The six example tasks in the prompt of a model that was not trained for this robot.

Source: seed tasks of the ROBO-INSTRUCT paper (appendix A.5.1), with a missing blank in the second
one's question added.
"""

from __future__ import annotations

ASK_AND_REPORT = """\
# Instruction: Go to Arjun's office, ask him if he is ready to head out, and come back and tell me \
what he said
def task_program():
    start_loc = get_current_location()
    go_to("Arjun's office")
    response = ask("Arjun", "Are you ready to go?", ["Yes", "No"])
    go_to(start_loc)
    say("Arjun said: " + response)
"""

AS_MANY_AS_ASKED = """\
# Instruction: Ask Alice if she needs 1, 2, or 3 boxes. Go to the storage room and ask if they \
have that many boxes. If so, go place the boxes in Alice's office. Otherwise, tell Alice you \
could not get the boxes.
def task_program():
    go_to("Alice's office")
    num_boxes = ask("Alice", "How many boxes do you need?", ["1", "2", "3"])
    go_to("storage room")
    response = ask("", "Do you have " + num_boxes + " boxes?", ["Yes", "No"])
    if response == "Yes":
        for _ in range(int(num_boxes)):
            pick("box")
            go_to("Alice's office")
            place("box")
            go_to("storage room")
    else:
        go_to("Alice's office")
        say("I could not get the boxes")
"""

LOOK_THEN_BRING = """\
# Instruction: Check if there is a red marker in the main office, and if so, tell Eve that there \
is a marker there. If not, go to the supply room and bring a red marker to the main office.
def task_program():
    go_to("main office")
    red_marker_found = is_in_room("red marker")
    if red_marker_found:
        go_to("Eve's office")
        say("There is a red marker in the main office")
    else:
        go_to("supply room")
        pick("red marker")
        go_to("main office")
        place("red marker")
"""

INSPECT_ROOMS_OF_A_KIND = """\
# Instruction: Check every classroom if there is a whiteboard. Go to Aiden's office to tell him \
which room does not have a whiteboard. Come back and tell me task is completed.
def task_program():
    start_loc = get_current_location()
    list_of_rooms = get_all_rooms()
    room_without_whiteboard = []
    for room in list_of_rooms:
        if "classroom" not in room:
            continue
        go_to(room)
        if not is_in_room("whiteboard"):
            room_without_whiteboard.append(room)
    go_to("Aiden's office")
    if len(room_without_whiteboard) > 0:
        message = ""
        for room in room_without_whiteboard:
            message += room + ", "
        message += "do not have a whiteboard"
    else:
        message = "all classrooms have a whiteboard"
    say(message)
    go_to(start_loc)
    say("task is completed")
"""

WAIT_FOR_SOMEBODY = """\
# Instruction: Go to the kitchen and wait for someone to show up. When someone shows up, ask them \
to open the fridge, then pick up a diet coke. Finally, put the diet coke in the living room.
def task_program():
    go_to("kitchen")
    while True:
        if is_in_room("person"):
            response = ask("", "Please open the fridge", ["Yes", "No"])
            if response == "Yes":
                pick("diet coke")
                break
        time.sleep(1)
    go_to("living room")
    place("diet coke")
"""

ONE_FOR_EACH_ROOM = """\
# Instruction: Take a bed sheet from the laundry room and put it in each of the bedrooms.
def task_program():
    start_loc = get_current_location()
    list_of_rooms = get_all_rooms()
    for room in list_of_rooms:
        if "bedroom" not in room:
            continue
        go_to("laundry room")
        pick("bed sheet")
        go_to(room)
        place("bed sheet")
    go_to(start_loc)
"""

EXAMPLES = (
    ASK_AND_REPORT,
    AS_MANY_AS_ASKED,
    LOOK_THEN_BRING,
    INSPECT_ROOMS_OF_A_KIND,
    WAIT_FOR_SOMEBODY,
    ONE_FOR_EACH_ROOM,
)
