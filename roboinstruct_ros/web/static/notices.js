// Toasts that go by themselves, and banners that stay as long as what they say is so.

import { byId, make } from "./dom.js";

const TOAST_MS = 5000;
const MOST = 3;

export function toast(text, tone = "") {
  const box = byId("toasts");
  const note = make("div", { class: `toast ${tone}` },
    make("p", {}, text),
    make("button", { type: "button", "aria-label": "Close", onclick: () => note.remove() }, "×"));
  for (const old of [...box.children]) if (old.firstChild.textContent === text) old.remove();
  box.append(note);
  while (box.children.length > MOST) box.firstChild.remove();
  setTimeout(() => note.remove(), TOAST_MS);
}

export function banner(key, text) {
  const box = byId("banners");
  const old = box.querySelector(`[data-key="${key}"]`);
  if (!text) {
    old?.remove();
  } else if (old) {
    if (old.textContent !== text) old.textContent = text;
  } else {
    box.append(make("p", { class: "banner bad", "data-key": key }, text));
  }
}
