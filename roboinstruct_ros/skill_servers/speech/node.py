"""Node `speech`: `say` and `ask` with a voice, a microphone and the kiosk's buttons."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
from std_msgs.msg import Bool, Int16MultiArray, String

from roboinstruct_msgs.action import Ask, Say
from roboinstruct_msgs.msg import Utterance as UtteranceMsg
from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault, text_fault
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer, run_server
from roboinstruct_ros.skill_servers.kit.touch import Touch
from roboinstruct_ros.skill_servers.speech.dialogue import Dialogue, Phase
from roboinstruct_ros.skill_servers.speech.dictation import Whisper
from roboinstruct_ros.skill_servers.speech.ear import Ear, Utterance
from roboinstruct_ros.skill_servers.speech.espeak import EspeakVoice
from roboinstruct_ros.skill_servers.speech.microphone import make_microphone
from roboinstruct_ros.skill_servers.speech.mouth import Mouth
from roboinstruct_ros.skill_servers.speech.parameters import SpeechParameters
from roboinstruct_ros.skill_servers.speech.playback import make_speaker
from roboinstruct_ros.skill_servers.speech.recognizer import Heard, Recognizer
from roboinstruct_ros.skill_servers.speech.sound import SpeechError
from roboinstruct_ros.skill_servers.speech.voice import make_voice

VOICE = "voice"
"""Source of a spoken stop request."""
HUSH = 0.07
"""Time (s) for a cut voice to fall silent before its goal reports its end."""


class Speech(SkillServer):
    """Serves the skills; `mouth` and `ear` handle the sound, in threads of their own."""

    goals_limit = 0.3

    def __init__(self) -> None:
        """Raises ConfigError if a voice, a file or a folder cannot be used."""
        super().__init__(names.SPEECH_NODE, SpeechParameters)
        self._asked: tuple[Dialogue, Any, Activity] | None = None
        try:
            self._mouth, self._ear = self._made_mouth(), self._made_ear()
        except SpeechError as fault:
            raise ConfigError(self.get_name(), 0, "", str(fault)) from None
        self._publish()
        self._deaf = ""
        self._cut = threading.Event()
        self.serve([(Say, names.SAY_ACTION, self._say), (Ask, names.ASK_ACTION, self._ask)])
        self._listen()
        self._ear.start()
        speaker, microphone = self._mouth.speaker.name, self._ear.microphone.name
        self.get_logger().info(
            f"speaks with {self._mouth.voice.name} to {speaker}; hears from {microphone}"
        )

    def halt(self) -> None:
        """End all goals and wait briefly for the sound to end."""
        super().halt()
        self._mouth.wait_silent(0.2)

    def close(self) -> None:
        super().close()
        self._ear.close()

    def _made_mouth(self) -> Mouth:
        given = self.parameters
        voice = make_voice(given.voice, given.language, given.rate)
        return Mouth(voice, make_speaker(given.audio_out), lambda: self.parameters.volume)

    def _made_ear(self) -> Ear:
        given, warn = self.parameters, self.get_logger().warning
        pronounce = None
        try:
            # whatever the voice, unknown words get an American pronunciation
            pronounce = EspeakVoice("en-us").pronounce
        except SpeechError as error:
            warn(f"options with words beyond the dictionary are not heard: {error}")
        recognizer = Recognizer(given.stop_words, pronounce)
        microphone, folder = make_microphone(given.audio_in), given.dictation_model
        dictation = Whisper(Path(folder)) if folder else None
        return Ear(microphone, recognizer, dictation, self._is_stop, self._heard, warn)

    def _publish(self) -> None:
        self._speech = self.create_publisher(String, names.SPEECH_TOPIC, 10)
        self._heard_words = self.create_publisher(UtteranceMsg, names.HEARD_TOPIC, 10)
        self._touch = Touch(self)
        if self.parameters.dictation_model:  # its presence offers dictation
            self._dictated = self.create_publisher(String, names.DICTATION_TOPIC, 10)

    def _listen(self) -> None:
        self.hear(Bool, names.PUSH_TO_TALK_TOPIC, self._pressed)
        if self.parameters.audio_in == "topic":
            self.hear(Int16MultiArray, names.MICROPHONE_TOPIC, self._sound_came)

    # Actions

    def _say(self, goal: Any) -> Say.Result:
        limit = self.parameters.say_limit
        late = Fault(SkillErrorCode.TIMEOUT, f"not said within {limit:g} s")
        activity = Activity("say", duration=None, patience=limit, out_of_patience=late)

        def begin(activity: Activity) -> Fault | None:
            fault = self._text_fault("message", goal.request.message)
            if fault is None:
                self._utter(goal.request.message, activity, activity.end)
            return fault

        def feedback(_: Activity) -> Say.Feedback:
            return Say.Feedback(estimated_time_remaining=self._mouth.time_left)

        return self.goals.carry_out(
            goal, activity, Say.Result(), begin, feedback, settle=self._hush
        )

    def _ask(self, goal: Any) -> Ask.Result:
        asked, limit = goal.request, self.parameters.ask_limit
        late = Fault(SkillErrorCode.TIMEOUT, f"no answer within {limit:g} s")
        activity = Activity("ask", duration=None, patience=limit, out_of_patience=late)

        def say(line: str, done: Any) -> None:
            self._utter(line, activity, done)

        patience = self.parameters.patience
        dialogue = Dialogue(
            asked.person, asked.question, asked.options, patience, say, activity.end
        )

        def begin(activity: Activity) -> Fault | None:
            fault = self._question_fault(asked)
            if fault is None:
                self._asked = dialogue, asked, activity
                self._ear.expect(dialogue.key, asked.options)
                self._touch.ask(activity, goal, asked.person)
                dialogue.begin()
            return fault

        def feedback(_: Activity) -> Ask.Feedback:
            return Ask.Feedback(phase=dialogue.phase.value, time_remaining=dialogue.time_left)

        def finish(result: Ask.Result) -> None:
            result.answer = activity.answer

        def settle() -> None:
            with self.lock:
                if self._asked and self._asked[0] is dialogue:
                    self._touch.close(activity)
                    self._asked = None
                    self._ear.expect()
            self._hush()

        return self.goals.carry_out(goal, activity, Ask.Result(), begin, feedback, finish, settle)

    def _hush(self) -> None:
        self._mouth.wait_silent(HUSH)

    def _utter(self, text: str, activity: Activity, done: Any) -> None:
        """Say a text for a goal; the end of the goal cuts it, as does the push-to-talk button."""

        def said(fault: Fault | None) -> None:
            with self.lock:
                if not activity.over.is_set():
                    done(fault)

        self._speech.publish(String(data=text))
        with self.lock:
            cut = self._cut = activity.linked()
        self._mouth.say(text, cut, said)

    def _text_fault(self, argument: str, text: str) -> Fault | None:
        most = self.parameters.longest_text
        return text_fault(argument, text, most, f"at most {most} are said aloud")

    def _question_fault(self, asked: Any) -> Fault | None:
        options, most = asked.options, self.parameters.most_options
        message = ""
        if not options or not all(option.strip() for option in options):
            message = "options is empty, or one of them is; give at least one answer to choose from"
        elif len(options) > most:
            message = f"{len(options)} options; at most {most} can be asked for"
        elif len({folded(option) for option in options}) < len(options):
            message = "two of the options are the same"
        if message:
            return Fault(SkillErrorCode.INVALID_ARGUMENT, message)
        whole = " ".join([asked.person, *options])
        return self._text_fault("question", asked.question) or self._text_fault("options", whole)

    # Hearing

    def _is_stop(self, heard: Heard) -> bool:
        sure = heard.stop and heard.confidence >= self.parameters.stop_confidence
        return sure and not self._own_voice(heard)

    def _own_voice(self, heard: Heard) -> bool:
        return self.parameters.echo_guard and self._mouth.said_just_now(heard.text)

    def _heard(self, said: Utterance) -> None:
        """Act on an utterance; in the ear's thread."""
        heard, own_voice = said.heard, self._own_voice(said.heard)
        taken = ""
        if said.stop:
            taken, reason = "stop", f"'{heard.text}' was heard"
            self.goals.stop_link.stop(VOICE, reason)
            self.get_logger().warning(f"stop: {reason}")
        elif heard.option is not None and heard.confidence >= self.parameters.confidence:
            taken = "" if own_voice else self._answer_by_voice(said)
        if said.text:
            self._dictated.publish(String(data=said.text))
        self._heard_words.publish(
            UtteranceMsg(
                text=heard.text, confidence=heard.confidence, taken=taken, own_voice=own_voice
            )
        )

    def _answer_by_voice(self, said: Utterance) -> str:
        with self.lock:
            if self._asked is None or said.expected != self._asked[0].key:
                return ""
            dialogue, asked, activity = self._asked
            given = self.parameters
            early = dialogue.phase is Phase.ASKING and not given.barge_in and not said.own
            unasked = given.listen == "push_to_talk" and not said.own
            if early or unasked or said.began < dialogue.opened or activity.over.is_set():
                return ""
            activity.answer = asked.options[said.heard.option]
            activity.end()
            return activity.answer

    def _pressed(self, message: Bool) -> None:
        """Never speak over a person: pressing the button ends the current speech as complete."""
        self._ear.press(message.data)
        if message.data:
            with self.lock:
                self._cut.set()

    def _sound_came(self, message: Int16MultiArray) -> None:
        self._ear.inbox.put(np.asarray(message.data, np.int16))

    def ailment(self) -> str:
        deaf, topic = self._deaf, self.resolve_topic_name(names.MICROPHONE_TOPIC)
        if self.parameters.audio_in == "topic" and not self.count_publishers(topic):
            deaf = f"nobody sends sound on '{topic}'"
        return f"nothing can be heard: {deaf}" if deaf else ""

    def tick(self, passed: float) -> None:
        with self.lock:
            if self._asked and not self._asked[2].over.is_set() and not self._ear.attends:
                self._asked[0].tick()
        deaf = self._ear.microphone.fault()
        if deaf != self._deaf:
            self._deaf = deaf
            self.get_logger().warning(self.ailment() or "the microphone is open")


def main(args: list[str] | None = None) -> int:
    return run_server(Speech, args)


if __name__ == "__main__":
    sys.exit(main())
