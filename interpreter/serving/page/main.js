// Which page this is: a table when the address names one, else the list of games (for the host).
import { Lobby } from "./lobby.js";
import { Table } from "./table.js";
import { speak } from "./words.js";

let current = null;

function start() {
  const told = new URLSearchParams(location.hash.slice(1));
  const key = told.get("key") || sessionStorage.getItem("key") || "";
  if (told.get("key")) sessionStorage.setItem("key", told.get("key"));
  if (told.get("language")) sessionStorage.setItem("language", told.get("language"));
  speak(told.get("language") || sessionStorage.getItem("language"));
  if (current) current.leave();
  const lobby = document.getElementById("lobby"), table = document.getElementById("table");
  const atTable = told.get("table") && told.get("token");
  lobby.hidden = Boolean(atTable);
  table.hidden = !atTable;
  current = atTable ? new Table(told.get("table"), told.get("token"), key) : new Lobby(lobby, key);
  window.current = current; // for whoever looks over our shoulder (tests, the console)
}

window.addEventListener("hashchange", start);
start();
