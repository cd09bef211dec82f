//! The most common forms of rules in real CRDs, for an object of our own. Measurements of evaluation use them. All of
//! them are CEL that other interpreters support too.

/// The schema of the object.
pub const SCHEMA: &str = r#"
type: object
properties:
  name: {type: string}
  path: {type: string}
  mode: {type: string}
  zone: {type: string}
  size: {type: integer}
  limit: {type: integer}
  open: {type: boolean}
  a: {type: object, properties: {x: {type: string}, y: {type: integer}, b: {type: object, properties: {z: {type: string}}}}}
  missing: {type: string}
  missingToo: {type: string}
  names: {type: array, items: {type: string}}
  numbers: {type: array, items: {type: integer}}
  items:
    type: array
    items: {type: object, properties: {name: {type: string}, kind: {type: string}, port: {type: integer}, note: {type: string}, names: {type: array, items: {type: string}}}}
  labels: {type: object, additionalProperties: {type: string}}
"#;

/// The object.
pub const OBJECT: &str = r#"{
  "name": "web-1", "path": "/var/lib/web", "mode": "Managed", "zone": "eu-west-1", "size": 3, "limit": 10, "open": true,
  "a": {"x": "one", "y": 1, "b": {"z": "deep"}},
  "names": ["alpha", "beta", "gamma", "delta"], "numbers": [1, 2, 3, 5, 8, 13],
  "items": [
    {"name": "http", "kind": "TCP", "port": 80, "names": ["a", "b"]},
    {"name": "https", "kind": "TCP", "port": 443, "note": "main", "names": ["c", "d"]},
    {"name": "dns", "kind": "UDP", "port": 53, "names": ["e", "f"]}],
  "labels": {"app": "web", "tier": "front", "team": "one"}
}"#;

/// The rules, with the most common ones first.
pub const SHAPES: &[&str] = &[
    "self == oldSelf",
    "self.name == oldSelf.name",
    "!has(self.missing) || has(self.name)",
    "has(self.name) == has(self.path)",
    "has(self.name) != has(self.missing)",
    "!has(self.missing) || !has(self.missingToo)",
    "!has(oldSelf.name) || has(self.name)",
    "has(self.a) && has(self.a.x)",
    "!has(self.a) || self.a.x == 'one'",
    "self.mode == 'Managed' ? has(self.zone) : !has(self.zone)",
    "self.mode != 'Managed' || has(self.zone)",
    "self.mode == 'Managed' || self.mode == 'External' || !has(self.zone)",
    "self.mode in ['Managed', 'External', 'None']",
    "!(self.mode in ['External', 'None'])",
    "(has(self.name) ? 1 : 0) + (has(self.missing) ? 1 : 0) + (has(self.missingToo) ? 1 : 0) == 1",
    "[has(self.name), has(self.missing), has(self.missingToo)].filter(x, x).size() == 1",
    "[has(self.missing), has(self.missingToo)].exists_one(x, x) || self.open",
    "self.size >= 1 && self.size <= 10",
    "self.size <= self.limit",
    "self.size >= oldSelf.size",
    "self.size > 0",
    "self.size % 3 == 0",
    "self.size * 2 < self.limit + 5",
    "self.open",
    "!self.open || has(self.name)",
    "self.open == oldSelf.open",
    "self.name != ''",
    "self.name.size() > 0",
    "size(self.name) <= 63",
    "self.path.startsWith('/')",
    "self.path.startsWith('/') && !self.path.contains('..')",
    "self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    "self.zone.contains('-')",
    "self.path.endsWith('web')",
    "self.name + '.' + self.zone != 'x.y'",
    "self.names.size() > 0",
    "size(self.names) <= 16",
    "self.names.all(n, n != '')",
    "self.names.all(n, n.size() < 20)",
    "self.names.exists(n, n == 'gamma')",
    "'beta' in self.names",
    "self.names.all(n, n in ['alpha', 'beta', 'gamma', 'delta'])",
    "self.numbers.all(n, n > 0 && n < 100)",
    "self.items.all(i, i.port > 0)",
    "self.items.all(i, i.kind in ['TCP', 'UDP'])",
    "self.items.all(i, has(i.note) ? i.note != '' : true)",
    "self.items.all(a, self.items.exists_one(b, a.name == b.name))",
    "self.items.filter(i, i.kind == 'TCP').size() <= 2",
    "self.items.exists(i, i.name == 'dns' && i.port == 53)",
    "self.items.map(i, i.port).all(p, p < 1000)",
    "self.items.all(i, i.names.all(n, n.size() == 1))",
    "self.labels.all(k, k != '' && self.labels[k] != '')",
    "'app' in self.labels && self.labels['app'] == 'web'",
];
