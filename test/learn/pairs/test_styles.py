"""How people type."""

import random

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.pairs import styles
from roboinstruct_ros.learn.pairs.styles import typed
from roboinstruct_ros.learn.pairs.words import FRAMES

ORDER = "Bring the wooden spoon to the dining room and tell Bob that Lunch Is Ready."


def many(text: str, *keep: str, split: Split = Split.TRAIN, count: int = 600) -> list[str]:
    return [typed(Draw(random.Random(seed), split), text, keep) for seed in range(count)]


def test_the_same_state_of_chance_gives_the_same_text() -> None:
    assert many(ORDER, count=100) == many(ORDER, count=100)


def test_kept_words_and_quotations_stay_exactly_as_they_are() -> None:
    for text in many(
        f'{ORDER} Say "See You There".', "wooden spoon", "Lunch Is Ready", "dining room"
    ):
        assert all(name in text for name in ("wooden spoon", "Lunch Is Ready", "dining room"))
        assert '"See You There"' in text


def test_a_short_name_is_not_kept_inside_a_longer_word() -> None:
    assert any("KITCHEN".lower() in text for text in many("Look for Kit in the kitchen.", "Kit"))


def test_people_type_in_many_ways() -> None:
    typed_ = many(ORDER)

    assert 0.25 < sum(text == ORDER for text in typed_) / len(typed_) < 0.5
    assert 0.2 < sum(text == text.lower() for text in typed_) / len(typed_) < 0.45
    assert any(text.startswith("Would you mind") for text in many("Take the apple to the study."))
    assert any(text.startswith("apple to study") for text in many("Take the apple to the study."))
    assert any(
        " u " in text or "pls" in text for text in many("Please tell Bob that you are late.")
    )
    assert len(set(typed_)) > 200


def test_a_question_is_not_ordered() -> None:
    for text in many("Is Bob in the lab?"):
        assert "could you" not in text.lower()
        assert "mind" not in text.lower()


def test_a_message_at_the_end_is_not_made_longer() -> None:
    for text in many("Say hello to all.", "hello to all"):
        assert text.rstrip(".!?").endswith("hello to all")


def test_held_frames_are_for_unseen_phrasings_alone() -> None:
    held = [frame.strip(", ") for key in ("held_asked", "held_called") for frame in FRAMES[key]]

    def has_held(texts: list[str]) -> bool:
        return any(frame in text.lower() for text in texts for frame in held)

    assert not has_held(many(ORDER))
    assert has_held(many(ORDER, split=Split.UNSEEN_PHRASINGS))


def test_a_correction_names_what_is_right() -> None:
    said = {styles.corrected(Draw(random.Random(n)), "the lab", "the study") for n in range(100)}

    assert {"the lab, no wait, the study", "the study, not the lab"} <= said
