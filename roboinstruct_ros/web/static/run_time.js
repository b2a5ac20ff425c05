// How long the run on screen has taken, and how long runs of the same words usually take, as long as that tells anything.

import { byId } from "./dom.js";
import { t } from "./messages.js";
import { IN_RUN, serverTime, store, task, wholeWords } from "./store.js";
import { seconds } from "./words.js";

const stopwatch = (s) => `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;

// Median of the recorded runs that succeeded, s; 0 where there is none.
function usual(words) {
  const took = store.runs.filter((one) => one.words === words && one.outcome === "succeeded").map((one) => one.duration).sort((a, b) => a - b);
  return took[Math.floor(took.length / 2)] ?? 0;
}

export function drawRunTime() {
  const now = task();
  const going = IN_RUN.includes(now?.phase) && now.run_started > 0;
  const passed = going ? Math.max(0, serverTime() - now.run_started) : 0;
  const expected = now && (going || now.phase === "ready") ? usual(wholeWords(now)) : 0;
  const time = going ? stopwatch(passed) : "";
  const words = expected < Math.max(1, passed) ? time : going ? t("run.time_of", { time, usual: stopwatch(expected) }) : t("run.usual", { time: seconds(expected) });
  const place = byId("run-time");
  if (place.textContent !== words) place.textContent = words;
  place.hidden = !words;
}
setInterval(drawRunTime, 250);
