// A story that did not happen, told on the map: a second, pale robot makes the calls one by one.

import { byId } from "./dom.js";
import { t } from "./messages.js";
import { answerWords, callWords, failedWords } from "./words.js";

const STEP_MS = 1600;
const DRIVE_MS = 900;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Story {
  #scenes = [];
  #at = 0;
  #timer = null;
  #frame = 0;

  constructor(map) {
    this.map = map;
    byId("story-before").addEventListener("click", () => this.#turn(-1));
    byId("story-next").addEventListener("click", () => this.#turn(1));
    byId("story-close").addEventListener("click", () => this.close());
  }

  // Args: calls as the server tells them, end: the sentence that says what is wrong there.
  tell(calls, end) {
    let place = this.map.pose;
    let held = "";
    this.#scenes = calls.map((call, index) => {
      const last = index === calls.length - 1;
      if (call.skill === "go_to") place = this.map.placeOf(call.arguments[0]) ?? place;
      if (call.skill === "pick" && !last) held = String(call.arguments[0]);
      if (call.skill === "place" && !last) held = "";
      const answer = last ? end : call.failed ? failedWords(call.failed) : answerWords(call.result);
      return { place, held, bad: last, words: [callWords(call), answer].filter(Boolean).join(" – ") };
    });
    byId("story").hidden = false;
    byId("story").scrollIntoView({ block: "nearest" });
    this.#show(0, this.map.pose);
    if (!still()) this.#play();
  }

  close() {
    this.#halt();
    byId("story").hidden = true;
    this.map.setGhost(null);
  }

  #play() {
    this.#timer = setTimeout(() => {
      this.#show(this.#at + 1, this.#scenes[this.#at].place);
      if (this.#at < this.#scenes.length - 1) this.#play();
    }, this.#at < this.#scenes.length - 1 ? STEP_MS : 0);
  }

  #turn(by) {
    this.#halt();
    this.#show(this.#at + by, this.#scenes[this.#at].place);
  }

  #halt() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
  }

  #show(index, from) {
    this.#at = Math.max(0, Math.min(this.#scenes.length - 1, index));
    const { place, held, bad, words } = this.#scenes[this.#at];
    byId("story-words").textContent = t("story.at", { number: this.#at + 1, n: this.#scenes.length, words });
    byId("story").classList.toggle("bad", bad);
    byId("story-before").disabled = this.#at === 0;
    byId("story-next").disabled = this.#at === this.#scenes.length - 1;
    if (!place) return;
    if (!from || still()) return this.map.setGhost(place, held, bad);
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - began) / DRIVE_MS));
      this.map.setGhost({ x: from.x + part * (place.x - from.x), y: from.y + part * (place.y - from.y) }, held, bad && part === 1);
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(step);
  }
}
