// Requests to the workshop. The key travels in a header, never in an address.
import { handAtRest } from "../dom.js";
import { t } from "../words.js";

let key = sessionStorage.getItem("key") || "";

export function remember(given) {
  key = given;
  sessionStorage.setItem("key", given);
}

export function ourKey() { return key; }

export async function ask(what, more = {}) {
  try {
    const answer = await fetch("ask", {
      method: "POST", cache: "no-store", credentials: "omit",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: JSON.stringify({ do: what, ...more }),
    });
    const type = answer.headers.get("content-type") || "";
    if (!type.startsWith("application/json")) return { ok: false, code: "net", error: (await answer.text()).trim() };
    const told = await answer.json();
    await handAtRest();
    return told;
  } catch (error) {
    return { ok: false, code: "net", error: t("the workshop does not answer") };
  }
}

// HTML of our own server as nodes of this page; scripts in it would not run, and are taken out all the same.
export function nodes(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const script of parsed.querySelectorAll("script, style, link, iframe, object, embed")) script.remove();
  const made = document.createDocumentFragment();
  for (const child of [...parsed.body.childNodes]) made.append(document.importNode(child, true));
  return made;
}

export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
