"""Messages, chores and questions."""

import random

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.entities import Person
from roboinstruct_ros.learn.pairs import spoken, talk, words
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import Story

BOB = Person("Bob", "Bob", "he", "him", "his")
THEM = Person("nurse", "the nurse", "they", "them", "their")


def draws(count: int, split: Split = Split.TRAIN) -> list[Draw]:
    return [Draw(random.Random(seed), split) for seed in range(count)]


def test_a_question_is_reported_about_the_person_and_spoken_to_them() -> None:
    asked = {talk.a_question(draw, BOB).reported for draw in draws(1000)}

    assert "if he wants coffee" in asked or "whether he wants coffee" in asked
    assert "what he would like to drink" in asked
    assert not any("{" in each for each in asked)
    assert not any(each.startswith(("if what", "whether what")) for each in asked)


def test_they_have_plural_verbs() -> None:
    asked = {talk.a_question(draw, THEM).reported for draw in draws(1000)}

    assert "what they want to drink" in asked
    assert not any("they wants" in each or "they is" in each for each in asked)


def test_questions_with_choices_offer_more_than_yes_and_no() -> None:
    offered = {talk.a_question(draw, BOB).options for draw in draws(1000)}

    assert {("tea", "coffee"), ("small", "medium", "large"), ("Yes", "No")} <= offered
    assert not any("{" in option for options in offered for option in options)


def test_learning_never_sees_held_messages_and_chores() -> None:
    held = {*words.ANNOUNCEMENTS.held, *words.CHORES.held}
    said = [talk.a_message(draw) for draw in draws(800)]
    said += [spoken.chore(Story(draw, Scene(())), BOB).spoken for draw in draws(800)]

    assert not set(said) & held
    assert not any("{" in each for each in said)
    unseen = (Story(draw, Scene(())) for draw in draws(100, Split.UNSEEN_NAMES))
    seen = {spoken.chore(story, BOB).spoken for story in unseen}
    assert seen & held


def test_a_statement_can_follow_that() -> None:
    assert not any(talk.a_statement(d).startswith(("please", "good ")) for d in draws(300))
