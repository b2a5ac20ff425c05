// Whether somebody types: what is meant for a text must do nothing else.

const IN_USE_MS = 5000;
const FIELDS = "textarea, input";

let last = -Infinity;
const note = () => { last = performance.now(); };
document.addEventListener("input", note, true);
document.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
  if (key.length === 1 && key !== " " && !ctrlKey && !metaKey) note(); // wherever the focus has gone
}, true);

export const typedWithin = (ms) => performance.now() - last < ms;

// The text field that somebody writes in; null for none.
export function fieldInUse() {
  const one = document.activeElement;
  return one?.matches(FIELDS) && typedWithin(IN_USE_MS) ? one : null;
}
