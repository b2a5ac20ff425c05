// Language and colours, chosen for this device; the server makes the page in them.

import { byId } from "./dom.js";

const YEAR = 365 * 24 * 3600; // s
const root = document.documentElement;

// High contrast where the device asks for it and nobody has chosen otherwise.
const more = matchMedia("(prefers-contrast: more)");
const follow = () => root.classList.toggle("more-contrast", more.matches);
more.addEventListener("change", follow);
follow();

function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=strict`;
}

export function armSettings() {
  byId("language").value = root.lang;
  byId("theme").value = root.dataset.theme;
  byId("language").addEventListener("change", ({ target }) => {
    keep("language", target.value);
    location.reload(); // what was typed outlives that
  });
  byId("theme").addEventListener("change", ({ target }) => {
    keep("theme", target.value);
    root.dataset.theme = target.value;
  });
}
