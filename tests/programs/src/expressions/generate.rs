//! Generates expressions from a grammar, most of them with correct types, for a schema with many kinds of fields.

use crdgen_tests::rng::Rng;

/// The schema for generated expressions.
pub(super) const SCHEMA: &str = r#"{"type":"object","properties":{
"s":{"type":"string"},"s10":{"type":"string","maxLength":10},"e":{"type":"string","enum":["a","bcd"]},
"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},
"by":{"type":"string","format":"byte","maxLength":20},"d":{"type":"string","format":"duration"},
"t":{"type":"string","format":"date-time"},"dt":{"type":"string","format":"date"},
"ios":{"x-kubernetes-int-or-string":true},"ios5":{"x-kubernetes-int-or-string":true,"maxLength":5},
"ls":{"type":"array","items":{"type":"string"}},"ls5":{"type":"array","maxItems":5,"items":{"type":"string","maxLength":7}},
"li":{"type":"array","maxItems":100,"items":{"type":"integer"}},
"set":{"type":"array","x-kubernetes-list-type":"set","maxItems":9,"items":{"type":"string"}},
"lo":{"type":"array","maxItems":10,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
 "items":{"type":"object","required":["k"],"properties":{"k":{"type":"string","maxLength":5},"v":{"type":"integer"},
  "m":{"type":"object","additionalProperties":{"type":"string"}},"l":{"type":"array","items":{"type":"integer"}}}}},
"ll":{"type":"array","maxItems":4,"items":{"type":"array","maxItems":3,"items":{"type":"string"}}},
"m":{"type":"object","additionalProperties":{"type":"string","maxLength":9},"maxProperties":6},
"mm":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"integer"},"s":{"type":"string"}}}},
"o":{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"a-b":{"type":"string"},"namespace":{"type":"string"},
 "in":{"type":"integer"},"d.e":{"type":"boolean"}}},
"u":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
"emb":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}}"#;

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum T {
    Bool,
    Int,
    Uint,
    Double,
    Str,
    Bytes,
    Dur,
    Time,
    Strs,
    Ints,
    Map,
    Obj,
    Dyn,
    OptStr,
    Quantity,
    Ip,
    Cidr,
    Url,
    Semver,
    Type,
}

const ALL: &[T] = &[
    T::Bool,
    T::Int,
    T::Uint,
    T::Double,
    T::Str,
    T::Bytes,
    T::Dur,
    T::Time,
    T::Strs,
    T::Ints,
    T::Map,
    T::Obj,
    T::Dyn,
    T::OptStr,
    T::Quantity,
    T::Ip,
    T::Cidr,
    T::Url,
    T::Semver,
    T::Type,
];

/// Generates an expression that is a bool, or that would be one without its mistake.
pub fn generate(rng: &mut Rng) -> String {
    let depth = 1 + rng.below(4);
    let mut g = Generator { rng, vars: Vec::new() };
    let text = g.of(T::Bool, depth);
    if g.rng.chance(8) { super::mutate(&text, &["self.s == 'a'".to_owned()], g.rng) } else { text }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    vars: Vec<(String, T)>,
}

impl Generator<'_> {
    fn of(&mut self, ty: T, depth: usize) -> String {
        // Sometimes uses the wrong type.
        let ty = if self.rng.chance(3) { *self.rng.pick(ALL) } else { ty };
        let local: Vec<String> = self.vars.iter().filter(|(_, t)| *t == ty).map(|(n, _)| n.clone()).collect();
        if !local.is_empty() && self.rng.chance(40) {
            return self.rng.pick(&local).clone();
        }
        if depth == 0 {
            return self.leaf(ty);
        }
        if self.rng.chance(6) {
            let (c, a, b) = (self.of(T::Bool, depth - 1), self.of(ty, depth - 1), self.of(ty, depth - 1));
            return format!("({c} ? {a} : {b})");
        }
        if self.rng.chance(10) {
            return self.leaf(ty);
        }
        self.node(ty, depth - 1)
    }

    fn leaf(&mut self, ty: T) -> String {
        let texts: &[&str] = match ty {
            T::Bool => {
                &["self.b", "true", "false", "has(self.s)", "has(self.o.i)", "oldSelf.b", "self.o.d__dot__e"]
            }
            T::Int => {
                &["self.i", "1", "-3", "0x1f", "self.o.i", "oldSelf.i", "size(self.ls)", "self.o.__in__"]
            }
            T::Uint => &["1u", "0u", "0xffu"],
            T::Double => &["self.n", "1.5", "-2.0", "1e3"],
            T::Str => &[
                "self.s",
                "self.s10",
                "self.e",
                "'abc'",
                "\"x\\ty\"",
                "r'a\\d+'",
                "'''q'''",
                "self.o.s",
                "''",
                "oldSelf.s",
                "self.o.a__dash__b",
                "self.o.namespace",
                "self.metadata.name",
                "self.kind",
                "self.emb.kind",
                "self.m['a']",
            ],
            T::Bytes => &["self.by", "b'ab'", "b'\\xff'"],
            T::Dur => &["self.d", "duration('1h')", "duration('3s')"],
            T::Time => &["self.t", "self.dt", "timestamp('2024-01-01T00:00:00Z')"],
            T::Strs => &["self.ls", "self.ls5", "self.set", "['a', 'b']", "[]", "oldSelf.ls5"],
            T::Ints => &["self.li", "[1, 2, 3]", "[]"],
            T::Map => &["self.m", "{'a': 'b'}", "{}", "oldSelf.m"],
            T::Obj => &["self.o", "self", "self.lo[0]", "self.mm['a']", "oldSelf.o"],
            T::Dyn => &["self.ios", "self.ios5", "dyn(1)", "dyn('a')", "dyn(self.o)", "null"],
            T::OptStr => &[
                "self.?s",
                "optional.none()",
                "optional.of('a')",
                "self.o.?s",
                "self.m[?'a']",
                "self.ls[?0]",
                "self.?o.s",
            ],
            T::Quantity => &["quantity('1Gi')", "quantity(self.s10)"],
            T::Ip => &["ip('10.0.0.1')", "ip(self.s)"],
            T::Cidr => &["cidr('10.0.0.0/8')", "cidr(self.s10)"],
            T::Url => &["url('https://a.b/c')", "url(self.s)"],
            T::Semver => &["semver('1.2.3')", "semver(self.s10, true)"],
            T::Type => &["type(1)", "string", "int", "type(self.o)", "type(self.ios)"],
        };
        (*self.rng.pick(texts)).to_owned()
    }

    /// Writes a form with holes: the letter of a hole is its type, and `$` is a new variable.
    fn node(&mut self, ty: T, depth: usize) -> String {
        let forms: &[&str] = match ty {
            T::Bool => &[
                "{b} && {b}",
                "{b} || {b}",
                "!{b}",
                "({b})",
                "{i} == {i}",
                "{s} == {s}",
                "{s} != {s}",
                "{i} < {i}",
                "{d} >= {i}",
                "{n} <= {n}",
                "{s} > {s}",
                "{u} < {i}",
                "{D} < {D}",
                "{t} > {t}",
                "{s} in {S}",
                "{i} in {I}",
                "{s} in {M}",
                "{s}.startsWith({s})",
                "{s}.endsWith({s})",
                "{s}.contains({s})",
                "{s}.matches({s})",
                "matches({s}, {s})",
                "{S}.all($s, {b})",
                "{S}.exists($s, {b})",
                "{I}.exists_one($i, {b})",
                "{M}.all($s, {b})",
                "{M}.exists($s, {b})",
                "self.lo.all($o, {b})",
                "self.lo.exists($o, $.k == {s})",
                "self.lo.all($o, $.m[$.k] == {s})",
                "self.ll.all($S, {b})",
                "{S}.all($i, $s, {b})",
                "{M}.exists($s, $s, {b})",
                "{S} == {S}",
                "{M} == {M}",
                "{o} == {o}",
                "{y} == {i}",
                "{y} == {s}",
                "{S}.isSorted()",
                "{I}.isSorted()",
                "{O}.hasValue()",
                "isQuantity({s})",
                "{q}.isGreaterThan({q})",
                "{q} == {q}",
                "{p}.isLoopback()",
                "isIP({s})",
                "{c}.containsIP({p})",
                "{c}.containsIP({s})",
                "{c}.containsCIDR({s})",
                "{p} == {p}",
                "isURL({s})",
                "{w} == {w}",
                "{v}.isLessThan({v})",
                "isSemver({s})",
                "sets.contains({S}, {S})",
                "sets.intersects({I}, {I})",
                "sets.equivalent({S}, {S})",
                "{T} == {T}",
                "bool({s})",
                "dyn({s}) == {i}",
                "{B} == {B}",
                "{y}.all(z, {b})",
                "has({o}.i)",
                "{S}.map($s, {s}) == {S}",
                "{S}.filter($s, {b}).size() > {i}",
                "!format.dns1123Label().validate({s}).hasValue()",
                "self.mm.all($s, self.mm[$].a > {i})",
                "self.mm.all($s, $o, $.a > {i} && $.s == {s})",
                "ip.isCanonical({s})",
                "{S}.exists_one($s, {b}) || {b}",
                "{s}.find({s}) == {s}",
                "{S}.includes({s})",
                "type({y}) == int ? {b} : {b}",
            ],
            T::Int => &[
                "{i} + {i}",
                "{i} - {i}",
                "{i} * {i}",
                "{i} / {i}",
                "{i} % {i}",
                "-({i})",
                "size({s})",
                "{s}.size()",
                "{S}.size()",
                "size({M})",
                "int({s})",
                "int({n})",
                "int({u})",
                "int({t})",
                "int({D})",
                "{t}.getFullYear()",
                "{t}.getHours({s})",
                "{D}.getSeconds()",
                "{I}.sum()",
                "{I}.max()",
                "{I}.min()",
                "{s}.indexOf({s})",
                "{s}.lastIndexOf({s}, {i})",
                "{S}.indexOf({s})",
                "{I}[{i}]",
                "{q}.asInteger()",
                "{q}.compareTo({q})",
                "{q}.sign()",
                "sign({q})",
                "{c}.prefixLength()",
                "{p}.family()",
                "{v}.major()",
                "self.lo[{i}].v",
                "{I}.map($i, {i})[0]",
                "[1, 2][{i}]",
                "{B}.size()",
                "{S}.map($s, size($)).sum()",
                "self.lo[{i}].l[{i}]",
            ],
            T::Uint => &["uint({i})", "uint({s})", "{u} + {u}", "{u} * {u}"],
            T::Double => &[
                "double({i})",
                "double({s})",
                "{n} + {n}",
                "{n} * {n}",
                "{q}.asApproximateFloat()",
                "-({n})",
            ],
            T::Str => &[
                "{s} + {s}",
                "string({i})",
                "string({n})",
                "string({b})",
                "string({t})",
                "string({B})",
                "{S}[{i}]",
                "{M}[{s}]",
                "{s}.lowerAscii()",
                "{s}.upperAscii()",
                "{s}.trim()",
                "{s}.substring({i})",
                "{s}.substring({i}, {i})",
                "{s}.replace({s}, {s})",
                "{s}.replace({s}, {s}, {i})",
                "{S}.join()",
                "{S}.join({s})",
                "{s}.charAt({i})",
                "{s}.find({s})",
                "{O}.orValue({s})",
                "{O}.value()",
                "{w}.getHost()",
                "{w}.getScheme()",
                "string({p})",
                "string({c})",
                "'%s %d'.format([{s}, {i}])",
                "{S}.max()",
                "strings.quote({s})",
                "self.lo[{i}].k",
                "self.lo[{i}].m[{s}]",
                "self.mm[{s}].s",
                "{O}.or({O}).value()",
                "{S}.reverse()[0]",
                "{S}.first().value()",
            ],
            T::Bytes => &["bytes({s})", "{B} + {B}"],
            T::Dur => &["duration({s})", "{D} + {D}", "{t} - {t}"],
            T::Time => &["timestamp({s})", "{t} + {D}", "timestamp({i})"],
            T::Strs => &[
                "{S} + {S}",
                "[{s}, {s}]",
                "{S}.map($s, {s})",
                "{S}.map($s, {b}, {s})",
                "{S}.filter($s, {b})",
                "{M}.map($s, {s})",
                "{s}.split({s})",
                "{s}.split({s}, {i})",
                "{s}.findAll({s})",
                "{s}.findAll({s}, {i})",
                "self.ll[{i}]",
                "self.lo.map($o, $.k)",
                "{S}.sort()",
                "{S}.distinct()",
                "{S}.slice({i}, {i})",
                "self.ll.flatten()",
                "{S}.sortBy($s, size($))",
                "[{O}].unwrapOpt()",
                "optional.unwrap([{O}])",
                "[?{O}, {s}]",
                "{S}.transformList($i, $s, {s})",
                "{w}.getQuery()[{s}]",
            ],
            T::Ints => &[
                "{I} + {I}",
                "[{i}, {i}]",
                "{I}.map($i, {i})",
                "{S}.map($s, {i})",
                "{I}.filter($i, {b})",
                "lists.range({i})",
                "{I}.sort()",
            ],
            T::Map => &[
                "{{s}: {s}}",
                "{{s}: {s}, {s}: {s}}",
                "{?{s}: {O}}",
                "{M}.transformMap($s, $s, {s})",
                "{S}.transformMapEntry($i, $s, {$: {s}})",
            ],
            T::Obj => &["self.lo[{i}]", "self.mm[{s}]", "self.lo.filter($o, {b})[0]"],
            T::Dyn => &["dyn({s})", "dyn({S})", "[{s}, {i}]", "{y}.a", "{y}[{i}]", "self.u", "self.emb"],
            T::OptStr => &[
                "{M}[?{s}]",
                "{S}[?{i}]",
                "optional.of({s})",
                "{O}.or({O})",
                "{O}.optMap($s, {s})",
                "{O}.optFlatMap($s, {O})",
                "self.mm[?{s}].?s",
                "optional.ofNonZeroValue({s})",
                "{S}.last()",
                "{o}.?s",
            ],
            T::Quantity => &["quantity({s})", "{q}.add({q})", "{q}.sub({i})"],
            T::Ip => &["ip({s})", "{c}.ip()"],
            T::Cidr => &["cidr({s})", "{c}.masked()"],
            T::Url => &["url({s})"],
            T::Semver => &["semver({s})", "semver({s}, {b})"],
            T::Type => &["type({s})", "type({i})", "type({y})", "type({S})"],
        };
        let form = *self.rng.pick(forms);
        self.fill(form, depth)
    }

    fn fill(&mut self, form: &str, depth: usize) -> String {
        let mut out = String::new();
        let mut bound = Vec::new();
        let mut chars = form.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '{' => {
                    let rest: String = chars.clone().take(2).collect();
                    match (kind(rest.chars().next()), rest.ends_with('}')) {
                        (Some(ty), true) => {
                            chars.next();
                            chars.next();
                            let operand = self.of(ty, depth);
                            // Sometimes leaves out parentheses that are needed.
                            let bare = operand.chars().all(|c| c.is_alphanumeric() || "._'[]()".contains(c));
                            if bare || self.rng.chance(30) {
                                out.push_str(&operand);
                            } else {
                                out.push_str(&format!("({operand})"));
                            }
                        }
                        _ => out.push(c),
                    }
                }
                '$' => match chars.peek().copied().and_then(|c| kind(Some(c))) {
                    Some(ty) if form[..].contains('$') => {
                        chars.next();
                        let name = format!("{}{}", self.rng.pick(&["x", "y", "k", "item"]), self.vars.len());
                        out.push_str(&name);
                        self.vars.push((name.clone(), ty));
                        bound.push(name);
                    }
                    _ => out.push_str(bound.last().map_or("x", String::as_str)),
                },
                c => out.push(c),
            }
        }
        self.vars.truncate(self.vars.len() - bound.len());
        out
    }
}

fn kind(letter: Option<char>) -> Option<T> {
    Some(match letter? {
        'b' => T::Bool,
        'i' => T::Int,
        'u' => T::Uint,
        'n' | 'd' => T::Double,
        's' => T::Str,
        'B' => T::Bytes,
        'D' => T::Dur,
        't' => T::Time,
        'S' => T::Strs,
        'I' => T::Ints,
        'M' => T::Map,
        'o' => T::Obj,
        'y' => T::Dyn,
        'O' => T::OptStr,
        'q' => T::Quantity,
        'p' => T::Ip,
        'c' => T::Cidr,
        'w' => T::Url,
        'v' => T::Semver,
        'T' => T::Type,
        _ => return None,
    })
}
