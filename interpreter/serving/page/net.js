// Requests and news. A token travels in a header, never in an address.
import { handAtRest } from "./dom.js";
import { t } from "./words.js";

export class Door {
  constructor(table, token) {
    this.table = table;
    this.token = token;
    this.seat = null;
    this.stream = null;
  }

  async ask(what, more = {}) {
    const body = { do: what, table: this.table, ...more };
    if (this.seat !== null) body.seat = this.seat;
    return send(this.token, body, what !== "orders"); // what is in the hand shows where it may go while it is held
  }

  // Calls `tell(look)` for every new look, and goes on by itself when the line breaks.
  listen(tell, state) {
    this.hush();
    const control = new AbortController();
    this.stream = control;
    let wait = 300;
    const run = async () => {
      while (!control.signal.aborted) {
        try {
          const seat = this.seat === null ? "" : `?seat=${encodeURIComponent(this.seat)}`;
          const answer = await fetch(`news/${encodeURIComponent(this.table)}${seat}`, {
            headers: { Authorization: `Bearer ${this.token}` }, signal: control.signal, cache: "no-store",
          });
          if (answer.status === 403) { state("refused"); return; }
          if (!answer.ok) throw new Error(String(answer.status));
          state("here");
          wait = 300;
          await readEvents(answer.body.getReader(), tell, control.signal);
        } catch (error) {
          if (control.signal.aborted) return;
        }
        state("away");
        await new Promise((done) => setTimeout(done, wait));
        wait = Math.min(wait * 2, 5000);
      }
    };
    run();
  }

  hush() {
    if (this.stream) this.stream.abort();
    this.stream = null;
  }
}

async function readEvents(reader, tell, signal) {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) return;
    rest += decoder.decode(value, { stream: true });
    let end;
    while ((end = rest.indexOf("\n\n")) >= 0) {
      const event = rest.slice(0, end);
      rest = rest.slice(end + 2);
      const data = event.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
      if (!event.startsWith("event: look") || !data.length) continue;
      await handAtRest();
      if (!signal.aborted) tell(JSON.parse(data.join("\n")));
    }
  }
}

export async function send(token, body, patient = true) {
  try {
    const answer = await fetch("ask", {
      method: "POST", cache: "no-store", credentials: "omit",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const type = answer.headers.get("content-type") || "";
    if (!type.startsWith("application/json")) return { ok: false, code: "net", error: (await answer.text()).trim() };
    const told = await answer.json();
    if (patient) await handAtRest();
    return told;
  } catch (error) {
    return { ok: false, code: "net", error: t("the table does not answer; trying again") };
  }
}
