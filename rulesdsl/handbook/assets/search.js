// Answers questions: every word counts for itself, prose before what is derived, synonyms and typing mistakes.
"use strict";
window.handbookSearch = (() => {
  const STOP = new Set(("a an the of to in on at by for from is are was be do does did can could may might must will would shall should " +
    "i me my we you your he his it its they them there this that these those what which who whom when where why how much many if " +
    "and or not no with as than then so any some all one have has had get gets got happens happen into out about").split(" "));
  const TITLE = 2.6, DERIVED = 0.22, SYNONYM = 0.5, TYPO = 0.7, PREFIX = 0.55;

  function fold(text) {
    return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/ß/g, "ss").replace(/[’']s\b/g, "").replace(/[’']/g, "");
  }
  function words(text) { return fold(text).match(/[\p{L}\p{N}]+(?:[.:\-][\p{L}\p{N}]+)*/gu) || []; }
  // Endings go, so that “stacking”, “stacks” and “stack” are one word.
  function stem(word) {
    if (/\d/.test(word) || word.length < 4) return word;
    let w = word;
    if (w.endsWith("ies") && w.length > 4) w = w.slice(0, -3) + "y";
    else if (/(sses|shes|ches|xes|zes)$/.test(w)) w = w.slice(0, -2);
    else if (w.endsWith("s") && !/(ss|us|is)$/.test(w)) w = w.slice(0, -1);
    if (w.endsWith("ing") && w.length > 5) w = w.slice(0, -3);
    else if (w.endsWith("ed") && w.length > 4) w = w.slice(0, -2);
    if (/([bdfgmnprt])\1$/.test(w)) w = w.slice(0, -1);
    if (w.endsWith("e") && w.length > 3) w = w.slice(0, -1);
    return w;
  }
  const stems = (text) => words(text).flatMap((w) => (w.includes("-") || w.includes(":") ? [w, ...w.split(/[-:]/)] : [w])).map(stem);

  function build(raw, groups) {
    const entries = raw.map(([address, number, title, read, derived, weight]) => ({ address, number, title, words: read || derived, weight,
      head: fold(`${number} ${title}`), fields: [stems(`${number} ${title}`), stems(read), stems(derived)] }));
    const postings = new Map();
    entries.forEach((entry, at) => {
      entry.length = entry.fields[1].length + 0.15 * entry.fields[2].length;
      entry.fields.forEach((field, kind) => field.forEach((token) => {
        let places = postings.get(token);
        if (!places) postings.set(token, places = new Map());
        let counts = places.get(at);
        if (!counts) places.set(at, counts = [0, 0, 0]);
        counts[kind] += 1;
      }));
    });
    const same = new Map();
    for (const group of groups) {
      const one = [...new Set(group.map((g) => stems(g)).filter((g) => g.length === 1).map((g) => g[0]))];
      for (const word of one) same.set(word, [...(same.get(word) || []), ...one.filter((other) => other !== word)]);
    }
    const average = entries.reduce((sum, e) => sum + e.length, 0) / Math.max(1, entries.length);
    return { entries, postings, same, average };
  }
  // How many letters must be changed, moved or added; more than `most` is all the same.
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let last = [], row = Array.from({ length: b.length + 1 }, (_, i) => i);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], last[j - 2] + 1);
      }
      last = row; row = next;
    }
    return row[b.length];
  }
  // A word of the question → words of the handbook it may mean, each with how surely.
  function meanings(index, word, whole) {
    const token = stem(word), found = new Map();
    const add = (other, sure) => { if (index.postings.has(other)) found.set(other, Math.max(sure, found.get(other) || 0)); };
    add(token, 1); add(word, 1);
    for (const other of index.same.get(token) || []) add(other, SYNONYM);
    if (!whole || !found.size) for (const other of index.postings.keys()) if (token.length > 2 && other.startsWith(token)) add(other, PREFIX);
    if (!found.size && token.length > 3) {
      const most = token.length > 6 ? 2 : 1;
      let best = most + 1, near = [];
      for (const other of index.postings.keys()) {
        const far = distance(token, other, most);
        if (far < best) { best = far; near = [other]; } else if (far === best && far <= most) near.push(other);
      }
      near.forEach((other) => { add(other, TYPO); (index.same.get(other) || []).forEach((one) => add(one, SYNONYM * TYPO)); });
    }
    return found;
  }
  function find(index, query, most = 30) {
    const all = words(query), asked = all.filter((w) => !STOP.has(w));
    const terms = asked.length ? asked : all;
    if (!terms.length) return [];
    const scores = new Map();
    terms.forEach((word, nth) => {
      const best = new Map();
      for (const [token, sure] of meanings(index, word, nth < terms.length - 1 || /\s$/.test(query))) {
        const places = index.postings.get(token);
        const rare = Math.log(1 + (index.entries.length - places.size + 0.5) / (places.size + 0.5));
        for (const [at, [head, read, derived]] of places) {
          const entry = index.entries[at];
          const size = 1.2 * (0.45 + 0.55 * (entry.length / index.average));
          const often = TITLE * (head ? 1 : 0) + (read * 2.2) / (read + size) + DERIVED * ((derived * 2.2) / (derived + size));
          best.set(at, Math.max(best.get(at) || 0, sure * rare * often));
        }
      }
      for (const [at, part] of best) {
        const sum = scores.get(at) || [0, 0];
        scores.set(at, [sum[0] + part, sum[1] + 1]);
      }
    });
    const exact = fold(query.trim());
    return [...scores].map(([at, [score, hit]]) => {
      const entry = index.entries[at];
      const named = fold(entry.number) === exact ? 1000 : entry.head === exact || fold(entry.title) === exact ? 50 : 0;
      return [(score * entry.weight * (0.35 + 0.65 * (hit / terms.length)) ** 1.5) + named, at];
    }).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, most).map(([, at]) => index.entries[at]);
  }
  return { build, find, fold, words, stem };
})();
