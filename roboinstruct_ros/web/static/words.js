// The kiosk's words for phases, errors and skill calls.

export const PHASES = {
  writing: ["Writing the plan", "go"],
  asking: ["Waiting for your answer", "go"],
  ready: ["Ready: read the plan, then approve", "go"],
  answered: ["Nothing moves", ""],
  rejected: ["Not done: see why", "bad"],
  running: ["Running", "go"],
  paused: ["‖ Paused", "held"],
  stopping: ["Stopping", "bad"],
  succeeded: ["Done", "good"],
  failed: ["Failed", "bad"],
  cancelled: ["Stopped", "bad"],
  discarded: ["Discarded", ""],
};

export const SHORT = {
  writing: "writing", asking: "asking", ready: "ready", answered: "answered", rejected: "rejected", running: "running", paused: "paused", stopping: "stopping",
  succeeded: "done", failed: "failed", cancelled: "stopped", discarded: "discarded",
};

// How a follow-up was read, as the page says it.
export const STEERING = {
  tweak: "other values", extend: "more steps", modify: "done another way", pivot: "another goal",
  fresh: "a new task", return: "back to it",
};

const ERRORS = {
  BUSY: "One thing at a time",
  INSTRUCTION_EMPTY: "Nothing to do",
  INSTRUCTION_TOO_LONG: "Too long",
  INSTRUCTION_SCRIPT: "Unknown letters",
  MODEL_NOT_LOADED: "No model",
  MODEL_FAILED: "The model failed",
  NO_ACCEPTED_PROGRAM: "No safe program found",
  NOT_VERIFIED: "Not verified",
  HASH_MISMATCH: "The program changed",
  NOT_APPROVED: "Not approved",
  TIMEOUT: "Out of time",
  STOPPED: "Stopped",
  CANCELED: "Cancelled",
  PROGRAM_FAILED: "The program failed",
  PROGRAM_LIMIT: "The program used too much",
  PROGRAM_LOST: "The program was lost",
  HAZARD_AHEAD: "It would go wrong from here",
  JOURNAL_FAILED: "The run cannot be recorded",
  NOT_RESUMABLE: "It cannot be gone on with",
  CALL_REFUSED: "A step was refused",
  ASSUMPTION_FAILED: "It is not as I took it to be",
  SKILL_FAILED: "A skill failed",
  SKILL_SERVER_LOST: "Part of the robot is lost",
  NODE_MISSING: "Part of the robot is missing",
  NO_CONNECTION: "No connection",
};

export function errorLine(name, message) {
  const text = message ? message[0].toUpperCase() + message.slice(1) : "";
  const title = ERRORS[name];
  return title && text ? `${title}: ${message}` : title ?? text ?? "Something went wrong";
}

export const NODES = { generator: "Writer", executor: "Runner", sim_robot: "Robot" };

export const LOST = {
  generator: "The program writer is lost. It is being restarted; new programs have to wait.",
  executor: "The program runner is lost. The robot stands still until it is back.",
  sim_robot: "The robot is lost. Nothing can move until it is back.",
};

// As the plan has it (program/wording.py): the kitchen, Bob's office, classroom 4.
const named = (name) => (/^(the|an?|my|your|our) |\d$/.test(name) || !/^\p{Ll}/u.test(name) ? name : `the ${name}`);
const quoted = (text) => `“${text}”`;

export function callWords({ skill, arguments: args }) {
  const [first, second, third] = args;
  switch (skill) {
    case "go_to": return `Go to ${named(first)}`;
    case "pick": return `Pick up ${named(first)}`;
    case "place": return `Put down ${named(first)}`;
    case "say": return `Say ${quoted(first)}`;
    case "ask": return `Ask ${first || "whoever is here"}: ${quoted(second)}${third?.length ? ` (${third.join(", ")})` : ""}`;
    case "is_in_room": return `Is ${first === "person" ? "a person" : quoted(first)} here?`;
    case "get_current_location": return "Where am I?";
    case "get_all_rooms": return "Which rooms are there?";
    default: return `${skill}(${args.map((a) => JSON.stringify(a)).join(", ")})`;
  }
}

export function answerWords(result) {
  if (result === null || result === undefined || result === "") return "";
  if (result === true) return "yes";
  if (result === false) return "no";
  if (Array.isArray(result)) return `${result.length} rooms`;
  return String(result);
}

export const seconds = (s) => (s < 0.1 ? `${Math.max(s * 1000, 0.1).toFixed(s < 0.01 ? 1 : 0)} ms` : s < 60 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`);
