// What yaml-language-server says of objects with the schemas that crdgen writes: nothing about objects that the server
// accepts, and something about those with a mistake in their structure.
//
//   node language-server.js CRDGEN CRDS OBJECTS
//
// CRDGEN is the command, CRDS and OBJECTS are folders of manifests. messages.json has the messages about values of the fields
// in constructs.yaml. With UPDATE=1, they are written.
'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL, fileURLToPath } = require('node:url');
const { getLanguageService } = require('yaml-language-server/out/server/src');
const { TextDocument } = require('vscode-languageserver-textdocument');
const YAML = require('yaml');

const [crdgen, crds, folder] = process.argv.slice(2);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'crdgen-editors-'));
const schemas = path.join(work, 'schemas');
const run = (...args) => spawnSync(crdgen, args, { encoding: 'utf8', maxBuffer: 1 << 30 });

const files = (at) => fs.readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
  const name = path.join(at, entry.name);
  return entry.isDirectory() ? files(name) : /\.ya?ml$/.test(name) ? [name] : [];
}).sort();

// Two projects may have the same CRD, of which the first counts, as in `validate`; one folder for both is an error.
for (const [at, crd] of files(crds).entries()) {
  const folder = path.join(work, 'each', `${at}`);
  run('openapi', '--json-schema', crd, '--out-dir', folder);
  if (fs.existsSync(folder)) fs.cpSync(folder, schemas, { recursive: true, force: false });
}

run('openapi', '--json-schema', path.join(__dirname, 'constructs.yaml'), '--out-dir', schemas);

// As the documentation tells people to configure it. Kubernetes' own schemas come from the network; here there are none.
const store = pathToFileURL(path.resolve(schemas)).href;
const read = async (uri) => {
  if (uri.startsWith('file:')) return fs.readFileSync(fileURLToPath(uri), 'utf8');
  return '{"oneOf":[]}';
};
const kubernetes = 'https://raw.githubusercontent.com/yannh/kubernetes-json-schema/master/v1.34.1-standalone-strict/all.json';
const telemetry = { send() {}, sendError() {}, sendTrack() {} };
const service = getLanguageService({
  schemaRequestService: read,
  workspaceContext: { resolveRelativePath: (relative, from) => new URL(relative, from).href },
  telemetry,
  clientCapabilities: {},
  yamlSettings: { kubernetesCRDStoreEnabled: true, kubernetesCRDStoreUrl: store, yamlFormatterSettings: {} },
});
service.configure({ validate: true, completion: true, hover: true, isKubernetes: true, schemas: [{ uri: kubernetes, fileMatch: ['*.yaml'] }] });

let number = 0;
const document = (text) => TextDocument.create(`file:///object-${number++}.yaml`, 'yaml', 1, text);
const complaints = async (text) => (await service.doValidation(document(text), true)).map((it) => it.message);

const propertiesOf = (schema) => Object.keys(schema?.properties ?? {});

const schemaOf = (object) => {
  const [group, version] = String(object.apiVersion).split('/');
  const file = path.join(schemas, group, `${object.kind}_${version}.json`.toLowerCase());
  // The language server looks for these elsewhere: codegen/EDITORS.md says what to do.
  if (group.endsWith('openshift.io')) return undefined;
  return version && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
};

// The objects whose specs have schemas, each in a file of its own.
const objects = files(folder).flatMap((file) => fs.readFileSync(file, 'utf8').split(/^---.*$/m)).flatMap((text) => {
  let object;
  try { object = YAML.parse(text); } catch { return []; }
  const spec = object && typeof object === 'object' && schemaOf(object)?.properties?.spec;
  return object?.spec && propertiesOf(spec).length > 0 ? [{ text, object, spec }] : [];
});
const manifests = path.join(work, 'objects');
fs.mkdirSync(manifests);
objects.forEach(({ text }, i) => fs.writeFileSync(path.join(manifests, `${i}.yaml`), text));
const { findings, notChecked } = JSON.parse(run('validate', '-o', 'json', '--crd', crds, '--', manifests).stdout);
const refused = new Set([...findings.filter((it) => it.level === 'error'), ...notChecked].map((it) => it.file));

// Objects that the language server misjudges, and why. One that it no longer complains about must go from here.
const MISJUDGED = {
  'Gateway knative-local-gateway': 'spec.addresses: it finds no branch of `oneOf` right although the one with `not` is',
  'Gateway knative-gateway': 'the same',
};

// What the language server says about wrong values of each construct. Some messages are several times in its answer.
const messages = async () => {
  const file = path.join(__dirname, 'messages.json');
  const head = 'apiVersion: example.com/v1\nkind: Construct\nmetadata: {name: a}\nspec:\n  ';
  const cases = [];
  for (const [text] of JSON.parse(fs.readFileSync(file, 'utf8'))) {
    cases.push([text, [...new Set(await complaints(`${head}${text}\n`))]]);
  }
  const written = `[\n${cases.map((it) => `  ${JSON.stringify(it)}`).join(',\n')}\n]\n`;
  if (process.env.UPDATE) fs.writeFileSync(file, written);
  const wanted = JSON.parse(fs.readFileSync(file, 'utf8'));
  return cases.flatMap(([text, found], i) => {
    const is = JSON.stringify(found);
    return is === JSON.stringify(wanted[i][1]) ? [] : [`${text}: ${is}`];
  });
};

const main = async () => {
  const count = { objects: objects.length, accepted: 0, quiet: 0, unknown: 0, found: 0, typed: 0, mistyped: 0, asked: 0, completed: 0 };
  const alarms = [];
  const alarm = (at, what) => alarms.push(`${objects[at].object.kind} ${objects[at].object.metadata?.name}: ${what}`);
  for (const [at, { text, object, spec }] of objects.entries()) {
    if (refused.has(path.join(manifests, `${at}.yaml`))) continue;
    count.accepted++;
    const found = await complaints(text);
    const misjudged = MISJUDGED[`${object.kind} ${object.metadata?.name}`];
    if ((found.length === 0) === !misjudged) count.quiet++;
    else alarm(at, found[0] ?? `no longer misjudged (${misjudged})`);
    // A field that nobody knows, and a value of another type.
    const broken = async (field, value) => (await complaints(YAML.stringify({ ...object, spec: { ...object.spec, [field]: value } }))).length > 0;
    if (spec.additionalProperties === false) {
      count.unknown++;
      if (await broken('notAFieldOfIt', 1)) count.found++;
      else alarm(at, 'an unknown field is taken');
    }
    const name = propertiesOf(spec).find((key) => ['string', 'boolean', 'object', 'array'].includes(spec.properties[key].type));
    if (name) {
      count.typed++;
      if (await broken(name, 12.5)) count.mistyped++;
      else alarm(at, `a number is taken for ${name}`);
    }
    // What is offered where a field of the spec may stand.
    const start = `apiVersion: ${object.apiVersion}\nkind: ${object.kind}\nspec:\n  `;
    const offered = await service.doComplete(document(start), { line: 3, character: 2 }, false);
    const labels = new Set(offered.items.map((it) => it.label));
    count.asked++;
    const missing = propertiesOf(spec).filter((key) => !labels.has(key));
    if (missing.length === 0) count.completed++;
    else alarm(at, `not offered: ${missing.slice(0, 5)}`);
  }
  const others = await messages();
  console.log(JSON.stringify(count));
  others.forEach((it) => console.error(`another message: ${it}`));
  alarms.slice(0, 30).forEach((it) => console.error(it));
  fs.rmSync(work, { recursive: true });
  const right = count.quiet === count.accepted && count.found === count.unknown && count.mistyped === count.typed && count.completed === count.asked;
  process.exit(count.accepted > 0 && right && others.length === 0 ? 0 : 1);
};
main();
