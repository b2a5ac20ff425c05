// What the robot asks a person who is there: it fills the page, until it is answered or given up.

import { coverMain } from "./cover.js";
import { byId, make, whenChanged } from "./dom.js";
import { t } from "./messages.js";
import { tellAloud } from "./notices.js";
import { AFTER_MS, serverTime } from "./store.js";
import { fieldInUse } from "./typing.js";

let until = 0; // server time, s; 0 when nobody knows
let drawn = ""; // goal, text, person and options of the question that is shown
let longest = 1; // s that were left when this question was seen first

let before = null; // what had the focus

let choose = () => {};
export const armQuestion = (chosen) => { choose = chosen; };

export const drawQuestion = whenChanged((question) => {
  const live = Boolean(question?.text && question.live);
  const shown = live ? JSON.stringify([question.goal_id, question.text, question.person, question.options]) : "";
  const other = shown && shown !== drawn;
  drawn = shown;
  until = live ? question.until ?? 0 : 0;
  byId("question").hidden = !live;
  document.body.classList.toggle("asking", live);
  if (other) drawNew(question);
  coverMain();
  if (!live) giveFocusBack();
  drawLeft();
});

function drawNew({ goal_id, text, person, options }) {
  longest = 1;
  byId("question-who").textContent = person ? t("question.asks", { who: person }) : t("question.asks_all");
  byId("question-text").textContent = text;
  const buttons = options.map((option) =>
    make("button", { type: "button", disabled: true, onclick: () => choose({ question: text, answer: option, goal_id }) }, option));
  byId("question-options").replaceChildren(...buttons);
  setTimeout(() => { for (const button of buttons) button.disabled = false; }, AFTER_MS);
  tellAloud(`${byId("question-who").textContent}: ${text}`);
  takeFocus();
}

// Not from who types, until that field is left; and to no option: Enter may be on its way to what was typed.
function takeFocus() {
  const field = fieldInUse();
  if (field) {
    before = field;
    field.addEventListener("focusout", () => {
      if (byId("question").hidden) return;
      takeFocus();
      coverMain();
    }, { once: true });
    return;
  }
  const has = document.activeElement;
  if (has !== document.body && !byId("question").contains(has)) before = has;
  byId("question").focus();
}

function giveFocusBack() {
  const lost = document.activeElement === document.body || byId("question").contains(document.activeElement);
  if (before && lost) before.focus({ preventScroll: true });
  before = null;
}

function drawLeft() {
  byId("question-left").hidden = !until;
  if (!until) return;
  const left = Math.max(0, until - serverTime());
  longest = Math.max(longest, left);
  const words = left ? t("question.left", { n: Math.round(left) }) : t("question.over");
  if (byId("question-time").textContent !== words) byId("question-time").textContent = words;
  byId("question-bar").value = left / longest;
}
setInterval(drawLeft, 250);
