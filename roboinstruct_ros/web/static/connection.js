// The way to the kiosk's server: requests with typed errors, and one socket that comes back by itself.

import { t } from "./messages.js";

export const API = "/api/v1";
const RETRY_MS = [300, 600, 1200, 2500, 5000];
const TOO_SLOW = 4008;
const UNPAIRED = 4001; // this device is not let in, or not any more
const OPEN_MS = 8000; // a socket that does not open in this time is tried again
const SILENT_MS = 3000; // the kiosk says something every second

// Two windows of one device may be two people; a reload is still the same window.
const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
export let WINDOW = sessionStorage.getItem("window") ?? fresh();
sessionStorage.setItem("window", WINDOW);

// A duplicated tab begins with the name of the other one, which says that the name is taken.
const names = new BroadcastChannel("windows");
const page = fresh();
names.onmessage = ({ data: { asked, by, taken } }) => {
  if (asked === WINDOW) names.postMessage({ by, taken: true });
  if (!taken || by !== page) return;
  WINDOW = fresh();
  sessionStorage.setItem("window", WINDOW);
};
names.postMessage({ asked: WINDOW, by: page });
addEventListener("pagehide", () => names.close()); // the next page of this tab goes by the same name

export class ApiError extends Error {
  constructor(name, message) {
    super(message);
    this.name = name;
  }
}

export async function request(method, path, body) {
  let answer;
  try {
    answer = await fetch(API + path, {
      method,
      headers: { "X-Window": WINDOW, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError("NO_CONNECTION", t("error.no_answer"));
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new ApiError(data.error_name ?? "UNKNOWN", data.message ?? t("error.status", { status: String(answer.status) }));
  }
  return data;
}

export const openSocket = (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${API}${path}`);

export class Events {
  #socket = null;
  #tries = 0;
  #seq = 0;
  #silent = null;

  constructor(onMessage, onConnected) {
    this.onMessage = onMessage;
    this.onConnected = onConnected;
    window.addEventListener("online", () => this.#socket ?? this.open());
    this.open();
  }

  open() {
    const socket = openSocket("/events");
    this.#socket = socket;
    this.#expect(socket, OPEN_MS);
    socket.onopen = () => this.#expect(socket, SILENT_MS);
    socket.onmessage = (message) => {
      if (this.#socket !== socket) return;
      this.#expect(socket, SILENT_MS);
      this.#take(socket, JSON.parse(message.data));
    };
    socket.onclose = (event) => this.#lose(socket, event.code);
  }

  // Whoever is silent for longer is not there: a dead peer never answers the close either.
  #expect(socket, limit) {
    clearTimeout(this.#silent);
    this.#silent = setTimeout(() => {
      socket.close();
      this.#lose(socket);
    }, limit);
  }

  #lose(socket, code = 0) {
    if (this.#socket !== socket) return;
    clearTimeout(this.#silent);
    this.#socket = null;
    if (code === UNPAIRED) location.assign("/devices");
    this.onConnected(false, code === TOO_SLOW);
    setTimeout(() => this.#socket ?? this.open(), RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]);
  }

  #take(socket, message) {
    if (message.type === "alive") return;
    if (message.type === "snapshot") {
      this.#tries = 0;
      this.#seq = message.seq;
      this.onConnected(true);
    } else if (message.seq !== undefined && message.seq !== ++this.#seq) {
      socket.close(); // a gap: the next snapshot has everything
      return;
    }
    this.onMessage(message);
  }
}
