// The page for devices: pairs this one; and where an engineer looks, shows PINs and withdraws.

import { request } from "./connection.js";
import { byId, make } from "./dom.js";
import { clock, day, known, t } from "./messages.js";
import { fault, toastError } from "./notices.js";
import { armSettings } from "./settings.js";
import { armStop } from "./stop.js";
import { errorLine } from "./words.js";

const AGAIN_MS = 3000;
const roleName = (role) => known(`role.${role}`) ?? role;
let shownUntil = null; // timer of the PIN

armSettings();
armStop(() => Date.now() / 1000);

async function open() {
  const me = await request("GET", "/me").catch((error) => {
    if (error.name === "NOT_PAIRED") return null;
    toastError(error);
    setTimeout(open, AGAIN_MS);
    return undefined; // it is not known
  });
  byId("pairing").hidden = me !== null;
  byId("own").hidden = !me;
  if (!me) return;
  byId("own-text").textContent = me.id === "local"
    ? t("devices.local")
    : t("devices.let_in", { name: me.name, role: roleName(me.role) });
  byId("leave").hidden = me.id === "local";
  byId("leave").onclick = () => withdraw(me.id);
  byId("inviting").hidden = byId("listed").hidden = me.role !== "engineer";
  if (me.role === "engineer") await list();
}

const list = () => request("GET", "/devices").then(showList).catch(toastError);

function showList({ devices, fingerprint }) {
  byId("fingerprint").textContent = fingerprint ? t("devices.fingerprint", { fingerprint }) : "";
  byId("devices").replaceChildren(...devices.map((one) => make("tr", {},
    make("td", {}, one.name), make("td", {}, roleName(one.role)), make("td", {}, day(one.used)), make("td", {}, day(one.expires)),
    make("td", {}, one.address),
    make("td", {}, make("button", { type: "button", class: "quiet", "aria-label": t("devices.withdraw_name", { name: one.name }), onclick: () => withdraw(one.id) }, t("devices.withdraw"))))));
}

function withdraw(id) {
  request("POST", `/devices/${encodeURIComponent(id)}/withdraw`).then(open).catch(toastError);
}

byId("pair").addEventListener("submit", async (event) => {
  event.preventDefault();
  fault("pair-error", "");
  try {
    await request("POST", "/pair", { pin: byId("pin").value, name: byId("name").value });
    location.assign("/");
  } catch (error) {
    fault("pair-error", errorLine(error.name, error.message));
  }
});

byId("invite").addEventListener("submit", (event) => {
  event.preventDefault();
  request("POST", "/pin", { role: byId("role").value }).then(({ pin, role, life }) => {
    const until = Date.now() / 1000 + life; // by this device's clock, which may be wrong
    byId("shown").replaceChildren(make("p", { class: "pin" }, pin),
      make("p", { class: "hint" }, t("invite.until", { role: roleName(role), time: clock(until) })));
    clearTimeout(shownUntil); // that of an earlier PIN
    shownUntil = setTimeout(() => { byId("shown").replaceChildren(); list(); }, life * 1000);
  }).catch(toastError);
});

open();
