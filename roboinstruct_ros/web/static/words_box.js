// The box of the task: whole lines of it, as many as the plan leaves room for.

import { byId, whenChanged } from "./dom.js";

const MOST = 6; // lines

// Args: planned, whether a plan is read below it; the others only tell that there is something to measure.
export const fitWords = whenChanged((planned) => {
  const [box, plan] = [byId("words"), byId("plan-scroll")];
  const least = planned ? 1 : 2;
  box.rows = 1;
  const lines = Math.round(box.scrollHeight / box.clientHeight);
  const hidden = () => plan.scrollHeight > plan.clientHeight + 1;
  for (box.rows = least; box.rows < Math.min(lines, MOST); box.rows += 1) {
    if (planned && hidden()) break;
  }
  if (planned && box.rows > least && hidden()) box.rows -= 1;
});
