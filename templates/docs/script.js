
"use strict";
const all = (where, what) => [...where.querySelectorAll(what)];
const make = (tag, text, more) => Object.assign(document.createElement(tag), { textContent: text }, more);
const status = document.getElementById("status");

// Copies a text. Pages that were opened from a disk may not use the clipboard of newer browsers.
const copy = async (text, button) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = button.textContent;
  button.textContent = "Copied";
  status.textContent = "Copied";
  setTimeout(() => { button.textContent = label; status.textContent = ""; }, 1500);
};
const copyButton = (label, text) => {
  const button = make("button", label, { type: "button", className: "copy" });
  button.addEventListener("click", () => copy(text(), button));
  return button;
};
for (const box of all(document, ".copied")) {
  const pre = box.querySelector("pre");
  const button = copyButton("Copy", () => pre.textContent);
  button.setAttribute("aria-label", "Copy: " + pre.getAttribute("aria-label"));
  box.append(button);
}
for (const code of all(document, ".about dd > code")) {
  if (code.textContent.startsWith("kubectl ")) {
    code.after(" ", copyButton("Copy", () => code.textContent));
  }
}

// What a path needs between a field and the fields inside its items or values.
const each = (field) => {
  const type = field.querySelector(":scope > .head > .type, :scope > details > summary > .type").textContent;
  return type.match(/^(list of |map of )*/)[0].replaceAll("list of ", "[]").replaceAll("map of ", ".*");
};

// The path of a field, from the root of the object or from the name of a type.
const paths = new Map();
const pathOf = (field) => {
  if (!paths.has(field)) {
    const around = field.parentElement.closest(".field");
    const start = around ? pathOf(around) + each(around) : field.closest(".shared")?.querySelector("h4").textContent;
    const name = field.querySelector(":scope > .head > .name, :scope > details > summary > .name").textContent;
    paths.set(field, start ? start + "." + name : name);
  }
  return paths.get(field);
};

// A link for each field. In the markup they would be a fifth of the page.
for (const field of all(document, ".field")) {
  const link = make("a", "#", { className: "link", href: "#" + field.id });
  link.setAttribute("aria-label", "Link to " + pathOf(field));
  field.prepend(link);
}

// The element that an anchor names, and the path of its field. Fields of types are also found by the paths of the fields
// that have these types. Anchors have no characters that addresses escape.
const find = (anchor) => {
  const direct = document.getElementById(anchor);
  if (direct) return [direct, direct.matches(".field") ? pathOf(direct) : ""];
  for (let end = anchor.lastIndexOf("."); end > 0; end = anchor.lastIndexOf(".", end - 1)) {
    const field = document.getElementById(anchor.slice(0, end));
    const link = field?.querySelector(":scope > .head > .type > a");
    if (!link) continue;
    const [target, inside] = find(link.getAttribute("href").slice(1) + anchor.slice(end));
    return [target, inside && pathOf(field) + each(field) + inside.slice(inside.indexOf("."))];
  }
  return [null, ""];
};

// Opens everything around an element.
const unfold = (target) => {
  for (let at = target; at; at = at.parentElement) {
    if (at.localName === "details") at.open = true;
    at.hidden = false;
  }
};

// The field that the address names is visible, and says how to get to it.
const bar = make("div", "", { className: "tools" });
const show = () => {
  const [target, path] = find(location.hash.slice(1));
  bar.remove();
  for (const it of all(document, ".found")) it.classList.remove("found");
  if (!target) return;
  unfold(target);
  if (path) {
    bar.replaceChildren(make("code", path), copyButton("Copy path", () => path), copyButton("Copy link", () => location.href));
    target.querySelector(":scope > .head, :scope > details > summary").after(bar);
    target.classList.add("found");
  }
  target.scrollIntoView();
};
addEventListener("hashchange", show);
if (location.hash) show();

// All sections print, folded or not.
let folded = [];
addEventListener("beforeprint", () => {
  folded = all(document, "details:not([open])");
  for (const it of folded) it.open = true;
});
addEventListener("afterprint", () => {
  for (const it of folded) it.open = false;
});

// Looking for fields on a page.
for (const section of all(document, "section")) {
  const tools = section.querySelector(".tools");
  const trees = all(section, ".fields");
  if (!tools || !trees.length) continue;
  tools.hidden = false;
  const fold = (open) => { for (const tree of trees) for (const it of all(tree, "details")) it.open = open; };
  tools.querySelector(".unfold").addEventListener("click", () => fold(true));
  tools.querySelector(".fold").addEventListener("click", () => fold(false));
  const input = tools.querySelector(".filter");
  const none = make("p", "", { className: "none", hidden: true });
  tools.after(none);
  const types = all(section, ".shared, .types");
  const base = section.getAttribute("aria-labelledby");
  let fields, before, timer;
  const filter = () => {
    fields ??= trees.flatMap((tree) => all(tree, ".field").map((it) => [it, pathOf(it).toLowerCase()]));
    const typed = input.value.trim();
    const wanted = typed.toLowerCase();
    before ??= trees.flatMap((tree) => all(tree, "details[open]"));
    const shown = new Set();
    let found = 0;
    const add = (field) => {
      found += 1;
      for (let at = field; at !== section; at = at.parentElement) {
        if (shown.has(at)) break;
        shown.add(at);
        if (wanted && at !== field && at.localName === "details") at.open = true;
      }
    };
    for (const [it, path] of fields) {
      const name = path.slice(path.lastIndexOf(".") + 1);
      if (!wanted || (wanted.includes(".") ? path : name).includes(wanted)) add(it);
    }
    // A path may lead through types.
    const [field] = found ? [] : find(base + "." + wanted.replaceAll("[]", "").replaceAll(".*.", "."));
    if (field) add(field);
    for (const [it] of fields) it.hidden = !shown.has(it);
    for (const it of types) it.hidden = !shown.has(it);
    if (!wanted) {
      fold(false);
      for (const it of before) it.open = true;
      before = undefined;
    }
    none.hidden = found > 0;
    none.textContent = found ? "" : "No field matches “" + typed + "”.";
    status.textContent = wanted ? found + (found === 1 ? " field" : " fields") : "";
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
}

// Looking for kinds and fields in the index.
const search = document.getElementById("search");
if (search) {
  search.hidden = false;
  const input = document.getElementById("query");
  const hits = document.getElementById("hits");
  const groups = all(document, ".group").map((it) => [it, all(it, ".kinds > li").map((li) => [li, li.dataset.names.toLowerCase()])]);
  const MOST = 100;
  let fields;
  // The data has a line for each field: its depth in tabs, how its path goes on after that of the field around it, and
  // its anchor where that does not follow from the path.
  const read = () => {
    fields = [];
    for (const [kind, file, base, lines] of JSON.parse(document.getElementById("data").textContent)) {
      const paths = [];
      for (const line of lines.split("\n")) {
        const depth = line.search(/[^\t]|$/);
        const [part, anchor] = line.slice(depth).split("\t");
        if (!part) continue;
        paths.length = depth;
        const path = (depth ? paths[depth - 1] : "") + part;
        paths.push(path);
        fields.push([path.toLowerCase(), kind, path, file + "#" + (anchor ?? base + "." + path.replaceAll("[]", "").replaceAll(".*.", ".").toLowerCase())]);
      }
    }
  };
  const look = () => {
    const typed = input.value.trim();
    const wanted = typed.toLowerCase();
    let kinds = 0;
    for (const [group, entries] of groups) {
      let some = false;
      for (const [li, names] of entries) {
        li.hidden = !names.includes(wanted);
        if (!li.hidden) { some = true; kinds += 1; }
      }
      group.hidden = !some;
    }
    if (!fields && wanted.length > 1) read();
    const found = wanted.length > 1 ? fields.filter(([path]) => (wanted.includes(".") ? path : path.slice(path.lastIndexOf(".") + 1)).includes(wanted)) : [];
    const rank = ([path]) => (path.endsWith("." + wanted) ? 0 : 1000) + path.length;
    found.sort((a, b) => rank(a) - rank(b));
    hits.hidden = found.length === 0 && kinds > 0;
    const list = make("ul", "", { className: "hits" });
    for (const [, kind, path, href] of found.slice(0, MOST)) {
      const item = make("li", "");
      item.append(make("a", kind + "." + path, { href }));
      list.append(item);
    }
    const more = found.length > MOST ? " (the first " + MOST + " are shown)" : "";
    if (found.length) {
      hits.replaceChildren(make("h2", found.length + (found.length === 1 ? " field" : " fields") + more), list);
    } else {
      const what = wanted.length > 1 ? "No kind or field matches “" : "No kind matches “";
      hits.replaceChildren(make("p", what + typed + "”.", { className: "none" }));
    }
    status.textContent = wanted ? kinds + " kinds, " + found.length + " fields" : "";
  };
  let timer;
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 80); });
  if (input.value) look();
}

// The key of many sites for their search.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea")) return;
  const input = document.querySelector("input[type=search]");
  if (!input) return;
  event.preventDefault();
  input.focus();
});
