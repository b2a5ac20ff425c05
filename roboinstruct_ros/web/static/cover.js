// What lies over the page takes the keys and the fingers from what is below; Stop stays where it is.

import { byId } from "./dom.js";

export function coverMain() {
  byId("main").inert = document.querySelector(".cover:not([hidden])") !== null;
}
