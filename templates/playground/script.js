'use strict';
const byId = (id) => document.getElementById(id);
const inputs = ['definitions', 'objects', 'rule', 'path'];
const views = { rust: 'Rust', yaml: 'CRD', rules: 'Costs', stored: 'Stored', table: 'Table', docs: 'Docs' };

// The minor versions of Kubernetes, as crdgen says them.
let versions = [];

const element = (name, fields, ...children) => {
  const out = Object.assign(document.createElement(name), fields);
  out.append(...children);
  return out;
};

// ---- Examples -------------------------------------------------------------------------------------------------------

const crontab = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.stable.example.com
spec:
  group: stable.example.com
  scope: Namespaced
  names:
    plural: crontabs
    singular: crontab
    kind: CronTab
    shortNames: [ct]
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [cronSpec, image]
              x-kubernetes-validations:
                - rule: self.replicas <= self.maxReplicas
                  message: replicas must not exceed maxReplicas
              properties:
                cronSpec:
                  description: When to run, in the form of cron.
                  type: string
                  pattern: '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$'
                image:
                  type: string
                replicas:
                  type: integer
                  minimum: 1
                  default: 1
                maxReplicas:
                  type: integer
                  default: 10
      additionalPrinterColumns:
        - { name: Spec, type: string, jsonPath: .spec.cronSpec }
        - { name: Replicas, type: integer, jsonPath: .spec.replicas }
`;
const objects = `apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: every-five-minutes
spec:
  cronSpec: "*/5 * * * *"
  image: my-image
---
apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: too-many
spec:
  cronSpec: "* * * * *"
  image: my-image
  replicas: 20
`;
const rust = `use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// Runs an image on a schedule.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced, shortname = "ct")]
#[serde(rename_all = "camelCase")]
#[schema(rule(rule = "self.replicas <= self.maxReplicas", message = "replicas must not exceed maxReplicas"))]
pub struct CronTabSpec {
    /// When to run, in the form of cron.
    #[schema(pattern = r"^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$", column(name = "Spec"))]
    pub cron_spec: String,
    /// What to run.
    pub image: String,
    /// How many at once.
    #[serde(default = "one")]
    #[schema(minimum = 1, column(name = "Replicas"))]
    pub replicas: i32,
    /// The limit for replicas.
    #[serde(default = "ten")]
    pub max_replicas: i32,
}

fn one() -> i32 {
    1
}

fn ten() -> i32 {
    10
}
`;
const examples = {
  'CRD and objects': { language: 'yaml', definitions: crontab, objects, rule: 'self.cronSpec.split(" ").size()', path: '.spec', view: 'rust' },
  'Rust types': { language: 'rust', definitions: rust, objects, rule: '', path: '.spec', view: 'yaml' },
  'Rejected CRD': {
    language: 'yaml',
    definitions: crontab.replace('type: string\n                  pattern', 'type: strin\n                  pattern')
      .replace('self.replicas <= self.maxReplicas', 'self.replicas <= self.maxReplica').replace('default: 10', 'default: ten'),
    objects: '', rule: '', path: '.spec', view: 'rules',
  },
  Empty: { language: 'yaml', definitions: '', objects: '', rule: '', path: '', view: 'rust' },
};

// ---- State, and links to it -----------------------------------------------------------------------------------------

const state = { language: 'yaml', definitions: '', objects: '', rule: '', path: '', view: 'rust', kube: undefined };

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const toFragment = async () => {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return '#' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

const fromFragment = async (fragment) => {
  const text = atob(fragment.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = await through(Uint8Array.from(text, (c) => c.charCodeAt(0)), new DecompressionStream('deflate-raw'));
  return JSON.parse(new TextDecoder().decode(bytes));
};

// Takes only what the page knows: a link may have been written by anybody.
const take = (found) => {
  for (const name of inputs) state[name] = typeof found[name] === 'string' ? found[name] : '';
  state.language = found.language === 'rust' ? 'rust' : 'yaml';
  state.view = Object.hasOwn(views, found.view) ? found.view : 'rust';
  state.kube = Number.isInteger(found.kube) ? found.kube : undefined;
  for (const name of inputs) byId(name).value = state[name];
  document.querySelector(`[name=language][value=${state.language}]`).checked = true;
  chooseVersion();
  for (const name of ['definitions', 'objects']) mark(name, []);
  select(state.view);
  ask();
};

// Until crdgen has listed the versions, the newest one is used.
const chooseVersion = () => {
  if (versions.length > 0 && !versions.includes(state.kube)) state.kube = versions[0];
  byId('kube').value = state.kube;
};

const load = async () => {
  try {
    take(location.hash.length > 1 ? await fromFragment(location.hash) : Object.values(examples)[0]);
  } catch {
    take(Object.values(examples)[0]);
    byId('summary').textContent = 'The link is incomplete.';
  }
};

// ---- Editors --------------------------------------------------------------------------------------------------------

// The index in a text of a line and a column, both from 1; columns count characters, not the units of JavaScript.
const indexOf = (lines, starts, { line, column }) => {
  const text = lines[line - 1];
  if (text === undefined) return starts[starts.length - 1] ?? 0;
  let index = 0;
  for (let left = column - 1; left > 0 && index < text.length; left--) index += text.codePointAt(index) > 0xffff ? 2 : 1;
  return starts[line - 1] + index;
};

const linesOf = (text) => {
  const lines = text.split('\n');
  const starts = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { lines, starts };
};

// Underlines what findings are about, and numbers the lines.
const mark = (name, findings) => {
  const area = byId(name);
  const editor = area.closest('.editor');
  const text = area.value;
  const { lines, starts } = linesOf(text);
  const numbers = editor.querySelector('.lines');
  if (numbers.dataset.count !== String(lines.length)) {
    numbers.textContent = lines.map((_, i) => i + 1).join('\n') + '\n\n';
    numbers.dataset.count = lines.length;
  }
  const marks = editor.querySelector('.marks');
  const children = [];
  let done = 0;
  const spans = findings.filter((f) => f.start).map((f) => [indexOf(lines, starts, f.start), indexOf(lines, starts, f.end), f.level]);
  for (const [start, end, level] of spans.sort((a, b) => a[0] - b[0])) {
    if (start < done) continue;
    const stop = Math.min(Math.max(end, start + 1), text.indexOf('\n', start) < 0 ? text.length : Math.max(text.indexOf('\n', start), start + 1));
    children.push(text.slice(done, start), element('mark', { className: level, textContent: text.slice(start, stop) || ' ' }));
    done = stop;
  }
  marks.replaceChildren(...children, text.slice(done), '\n\n');
  scroll(area);
};

const scroll = (area) => {
  const editor = area.closest('.editor');
  const marks = editor.querySelector('.marks');
  marks.scrollTop = area.scrollTop;
  marks.scrollLeft = area.scrollLeft;
  editor.querySelector('.lines').scrollTop = area.scrollTop;
};

const goTo = (name, finding) => {
  const area = byId(name);
  area.focus();
  if (!finding.start || area.tagName !== 'TEXTAREA') return;
  const { lines, starts } = linesOf(area.value);
  area.setSelectionRange(indexOf(lines, starts, finding.start), indexOf(lines, starts, finding.end));
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = (finding.start.line - 5) * height;
  scroll(area);
};

// ---- Answers --------------------------------------------------------------------------------------------------------

const files = { definitions: 'CRD', objects: 'Objects', rule: 'Rule' };
const MOST = 200;

const snippet = (finding) => {
  if (!finding.start) return [];
  const line = byId(finding.file).value.split('\n')[finding.start.line - 1];
  if (line === undefined) return [];
  const characters = [...line];
  const end = finding.end.line === finding.start.line ? finding.end.column : characters.length + 1;
  const from = Math.max(0, finding.start.column - 60);
  const number = `${finding.start.line} | `;
  const space = characters.slice(from, finding.start.column - 1).map((c) => (c === '\t' ? '\t' : ' ')).join('');
  const carets = '^'.repeat(Math.max(1, Math.min(end, from + 160) - finding.start.column));
  const shown = characters.slice(from, from + 160).join('');
  return [element('pre', {}, `${number}${shown}\n${' '.repeat(number.length)}${space}`, element('span', { className: 'caret', textContent: carets }))];
};

const item = (finding) => {
  const place = finding.start ? `${files[finding.file]} ${finding.start.line}:${finding.start.column}` : files[finding.file];
  const link = element('button', { type: 'button', className: 'place', textContent: place });
  link.addEventListener('click', () => goTo(finding.file, finding));
  const level = element('span', { className: 'level', textContent: `${finding.level}[${finding.code}]` });
  const object = finding.object ? ` (${finding.object})` : '';
  const out = element('li', { className: finding.level }, level, ': ', finding.text || finding.detail, ' ', link, object, ...snippet(finding));
  if (finding.help) out.append(element('div', { textContent: `help: ${finding.help}` }));
  return out;
};

const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

const summary = ({ findings, summary }, took) => {
  const errors = findings.filter((f) => f.level === 'error').length;
  const warnings = findings.filter((f) => f.level === 'warning').length;
  const parts = [errors === 0 && warnings === 0 ? 'no findings' : [errors && count(errors, 'error'), warnings && count(warnings, 'warning')].filter(Boolean).join(', ')];
  if (summary.definitions > 0) parts.push(`${summary.accepted} of ${count(summary.definitions, 'CRD')} accepted`);
  if (summary.objects > 0) parts.push(`${summary.valid} of ${count(summary.objects, 'object')} valid`);
  byId('summary').textContent = `${parts.join(' · ')} · ${took < 10 ? took.toFixed(1) : Math.round(took)} ms`;
  byId('summary').className = errors === 0 ? 'fine' : 'wrong';
};

const table = (caption, columns, rows) => {
  const cells = (name, row) => element('tr', {}, ...row.map((cell) => element(name, { textContent: cell })));
  const head = cells('th', columns);
  for (const cell of head.children) cell.scope = 'col';
  const body = element('tbody', {}, ...rows.map((row) => cells('td', row)));
  return element('div', { className: 'scroll', tabIndex: 0 }, element('table', {}, element('caption', { textContent: caption }), element('thead', {}, head), body));
};

const nothing = {
  rust: 'The server accepts no CRD yet.',
  yaml: 'There is no CRD yet.',
  rules: 'There is no rule that compiles.',
  stored: 'There is no object that the server accepts.',
  table: 'There is no object that the server accepts.',
  docs: 'The server accepts no CRD yet.',
};

const show = (shown) => {
  const panel = byId('shown');
  const view = state.view;
  if (!shown || shown.length === 0) return panel.replaceChildren(element('p', { className: 'soft', textContent: nothing[view] }));
  if (view === 'docs') {
    // Only the page of a site needs its script, for the search.
    shown = shown.replace(/<script[^]*?<\/script>/g, '');
    const old = panel.querySelector('iframe');
    if (old) {
      if (old.srcdoc !== shown) old.srcdoc = shown;
      return;
    }
    // Without scripts, whatever descriptions say.
    const frame = element('iframe', { title: 'Documentation', srcdoc: shown });
    frame.setAttribute('sandbox', 'allow-same-origin');
    return panel.replaceChildren(frame);
  }
  if (view === 'rules') {
    const rows = shown.map((r) => [`${r.kind} ${r.version}`, r.field, r.rule, r.cost, r.share]);
    return panel.replaceChildren(table('What each rule may cost', ['Kind', 'Field', 'Rule', 'Cost', 'Of the limit'], rows));
  }
  if (view === 'table') return panel.replaceChildren(...shown.map((t) => table(t.kind, t.columns, t.rows)));
  const copy = element('button', { type: 'button', textContent: 'Copy' });
  copy.addEventListener('click', () => copied(copy, shown));
  panel.replaceChildren(element('pre', { tabIndex: 0, textContent: shown }), copy);
};

const copied = async (button, text) => {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Copying is not allowed';
  }
  setTimeout(() => { button.textContent = label; }, 1500);
};

const tell = (answer, took) => {
  const { findings, rule, shown } = answer;
  for (const name of ['definitions', 'objects']) mark(name, findings.filter((f) => f.file === name));
  const items = findings.slice(0, MOST).map(item);
  if (findings.length > MOST) items.push(element('li', { className: 'note', textContent: `and ${findings.length - MOST} more` }));
  byId('findings').replaceChildren(...items);
  byId('answer').textContent = !rule ? '' : [
    `type ${rule.type}`, `cost ${rule.cost} of ${rule.limit}`, rule.value !== undefined && `value ${rule.value}`,
  ].filter(Boolean).join(' · ');
  show(shown);
  summary(answer, took);
};

// ---- The worker -----------------------------------------------------------------------------------------------------

const PATIENCE = 20000;
let worker, ready = false, asked = 0, waiting = false, again = false, watch;

const start = () => {
  worker?.terminate();
  ready = waiting = false;
  worker = new Worker(URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' })));
  worker.onmessage = ({ data }) => {
    if (data.versions) {
      ready = true;
      versions = data.versions;
      byId('kube').replaceChildren(...versions.map((minor) => element('option', { value: minor, textContent: `1.${minor}` })));
      chooseVersion();
      ask();
    } else if (data.id === asked || data.failed) {
      clearTimeout(watch);
      waiting = false;
      if (data.failed) return stopped(data.failed);
      if (again) ask();
      else tell(JSON.parse(data.answer), data.took);
    }
  };
  worker.onerror = (event) => stopped(event.message);
  worker.postMessage({ wasm: byId('wasm').textContent.trim() });
};

// Begins anew after a failure, and waits for the next change.
const stopped = (why) => {
  byId('summary').textContent = `crdgen stopped: ${why}`;
  byId('summary').className = 'wrong';
  worker.terminate();
  worker = undefined;
};

const ask = () => {
  if (!worker) return start();
  again = waiting;
  if (!ready || waiting) return;
  waiting = true;
  asked++;
  watch = setTimeout(() => stopped('it took too long'), PATIENCE);
  const request = JSON.stringify({ ...state, now: Math.floor(Date.now() / 1000) });
  worker.postMessage({ id: asked, request });
};

// ---- The page -------------------------------------------------------------------------------------------------------

const select = (view) => {
  state.view = view;
  for (const tab of byId('views').children) {
    const is = tab.dataset.view === view;
    tab.setAttribute('aria-selected', is);
    tab.tabIndex = is ? 0 : -1;
    if (is) byId('shown').setAttribute('aria-labelledby', tab.id);
  }
};

for (const name of Object.keys(examples)) byId('example').append(element('option', { textContent: name }));
for (const [view, title] of Object.entries(views)) {
  const tab = element('button', { type: 'button', id: `tab-${view}`, textContent: title });
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', 'shown');
  tab.dataset.view = view;
  tab.addEventListener('click', () => { select(view); ask(); });
  byId('views').append(tab);
}
byId('views').addEventListener('keydown', (event) => {
  const tabs = [...byId('views').children];
  const at = tabs.indexOf(document.activeElement);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const tab = tabs[(next + tabs.length) % tabs.length];
  tab.focus();
  tab.click();
});
for (const name of inputs) {
  byId(name).addEventListener('input', () => { state[name] = byId(name).value; ask(); });
  if (byId(name).tagName === 'TEXTAREA') byId(name).addEventListener('scroll', () => scroll(byId(name)));
}
for (const radio of document.querySelectorAll('[name=language]')) {
  radio.addEventListener('change', () => { state.language = radio.value; ask(); });
}
byId('kube').addEventListener('change', () => { state.kube = Number(byId('kube').value); ask(); });
byId('example').addEventListener('change', () => take(examples[byId('example').value]));
byId('share').addEventListener('click', async () => {
  const fragment = await toFragment();
  history.replaceState(null, '', fragment);
  copied(byId('share'), location.href);
});
addEventListener('hashchange', load);
load();
