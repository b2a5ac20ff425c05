// The API's documents, for people.

import { request } from "./connection.js";
import { byId, make } from "./dom.js";
import { toast } from "./notices.js";

const kind = (schema) => schema.$ref?.split("/").at(-1) ?? schema.anyOf?.map(kind).join(" | ") ?? (schema.items ? `${kind(schema.items)}[]` : schema.type ?? "anything");
const bodyOf = (content) => (content ? kind(Object.values(content)[0].schema ?? {}) : "");
const fold = (name, value) => make("details", {}, make("summary", {}, name), make("pre", {}, JSON.stringify(value, null, 2)));

function drawRequests({ paths }) {
  byId("requests").replaceChildren(...Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, route]) => {
    const sent = bodyOf(route.requestBody?.content);
    const good = Object.entries(route.responses).find(([status]) => status.startsWith("2"));
    return make("div", {}, make("h3", {}, `${method.toUpperCase()} ${path}`),
      make("p", {}, route.description ?? route.summary),
      make("p", { class: "hint" }, `Role: ${route["x-role"]}. ${sent ? `Takes ${sent}. ` : ""}Answers ${good[0]} ${bodyOf(good[1].content)}.`));
  })));
}

function drawSockets({ channels, components }) {
  byId("sockets").replaceChildren(...Object.values(channels).map((channel) => make("div", {},
    make("h3", {}, `WS ${channel.address}`), make("p", {}, channel.description),
    make("ul", {}, ...Object.keys(channel.messages).map((name) => make("li", {}, `${name}: ${components.messages[name].summary}`))))));
}

Promise.all([request("GET", "/openapi.json"), request("GET", "/asyncapi.json")]).then(([requests, sockets]) => {
  drawRequests(requests);
  drawSockets(sockets);
  const schemas = { ...requests.components.schemas, ...sockets.components.schemas };
  byId("schemas").replaceChildren(...Object.entries(schemas).sort().map(([name, schema]) => fold(name, schema)));
}).catch((error) => toast(error.message, "bad"));
