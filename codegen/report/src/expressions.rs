//! The results of expressions, and the rules of a CRD: what `crdgen cel` prints.

use crdgen_core::diag::codes::cel::RULE_FAILED;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::json;
use crdgen_core::path::Path;
use crdgen_core::rules::RULE_LIMIT;
use crdgen_core::rules::run::{Addressed, Answer, Run};
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use crate::{Counts, Finding, Findings, Format, Lines, Printer, Ready, Report};
use crdgen_files::Error;
use crdgen_tasks::expressions::{Asked, ExpressionObject};

/// Prints the results for objects.
pub fn show(
    format: Format,
    all: &[Asked],
    objects: &[ExpressionObject],
    mut printer: impl Printer,
) -> Result<(), Error> {
    match format {
        Format::Human => {
            all.iter().try_for_each(|asked| human(asked, objects, &mut printer))?;
            if let Some(counts) = summary(all, objects) {
                printer.note(&counts);
            }
            Ok(())
        }
        Format::Json => {
            let documents: Vec<String> = all.iter().map(|asked| document(asked, objects)).collect();
            let text = match documents.as_slice() {
                [one] => one.clone(),
                several => json::object([("answers", json::list(several.iter().cloned()))]),
            };
            printer.print(&Ready::json(&(text + "\n")))
        }
        Format::Sarif | Format::Github | Format::Gitlab | Format::Junit | Format::Markdown => {
            let found: Vec<Findings> = all.iter().map(|asked| findings(asked, objects)).collect();
            let mut counts = Counts::default();
            found.iter().for_each(|found| counts.add(&found.findings));
            let mut report = Report::new(format, "crdgen cel", printer);
            found.iter().try_for_each(|found| report.add(format.render(found)))?;
            report.finish(&counts, "expression")
        }
    }
}

/// For tools, an expression that is false is a finding too.
fn findings(asked: &Asked, objects: &[ExpressionObject]) -> Findings {
    let mut findings = asked.errors();
    let place = yaml::place(&asked.source.bytes, 0..asked.source.bytes.len());
    for (number, run) in asked.runs().filter(|(_, run)| run.is_false()) {
        let mut text = "the expression is false".to_owned();
        if let Some(object) = number.and_then(|number| objects.get(number)) {
            text.push_str(&format!(" for {}", where_(object, run)));
        }
        let diag = Diag::own(&RULE_FAILED, Level::Error, &Path::ROOT, text);
        findings.push(Finding::new(String::new(), Some(place), diag));
    }
    Findings { source: asked.source.clone(), findings }
}

/// The object of a result, and the value in it.
fn where_(object: &ExpressionObject, run: &Run) -> String {
    let at =
        if run.path.is_empty() || run.path == "<nil>" { String::new() } else { format!(", {}", run.path) };
    format!("{}{at}", object.name())
}

fn human(asked: &Asked, objects: &[ExpressionObject], printer: &mut impl Printer) -> Result<(), Error> {
    let mut lines = Lines::default();
    if let Some(version) = &asked.version {
        lines.add(format_args!("version {version}"));
    }
    let text = String::from_utf8_lossy(&asked.source.bytes);
    if let Some(address) = &asked.address {
        let rule = text.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.add(format_args!("rule:  {rule} ({address})"));
    }
    if let Ok(answer) = &asked.asked {
        answer_lines(answer, &text, &mut lines);
    }
    let why = |run: &Run| run.why.as_ref().map(|why| why.lines(&text)).unwrap_or_default();
    let runs: Vec<(Option<usize>, &Run)> = asked.runs().collect();
    // A single result needs no name.
    if let ([(_, run)], 0 | 1) = (runs.as_slice(), objects.len()) {
        lines.add(format_args!("value: {}", run.value.as_deref().unwrap_or("none")));
        lines.add(format_args!("spent: {}", run.cost));
        let why = why(run);
        if !why.is_empty() {
            lines.add("why:");
            why.iter().for_each(|line| lines.add(format_args!("  {line}")));
        }
        printer.print(&lines.ready())?;
        let (source, findings) = (asked.source.clone(), asked.errors());
        return printer.print(&crate::human(&[Findings { source, findings }]));
    }
    let is_error = |run: &&(Option<usize>, &Run)| run.1.value.is_err();
    if !runs.is_empty() || !asked.without_value.is_empty() {
        lines.blank();
    }
    for (number, run) in &runs {
        let name = number.and_then(|n| objects.get(n)).map(|object| where_(object, run)).unwrap_or_default();
        match &run.value {
            Ok(value) => lines.add(format_args!("{value:<6} {name}")),
            Err(remark) => lines.add(format_args!("error  {name}: {}", remark.text)),
        }
        why(run).iter().for_each(|line| lines.add(format_args!("         {line}")));
    }
    for object in asked.without_value.iter().filter_map(|number| objects.get(*number)) {
        lines.add(format_args!(
            "-      {}: not evaluated, because it has no value there, or no old value for a rule about changes",
            object.name()
        ));
    }
    printer.print(&lines.ready())?;
    // The errors of the runs are above.
    let mut findings = asked.errors();
    findings.truncate(findings.len().saturating_sub(runs.iter().filter(is_error).count()));
    printer.print(&crate::human(&[Findings { source: asked.source.clone(), findings }]))
}

/// Counts the results for several objects.
fn summary(all: &[Asked], objects: &[ExpressionObject]) -> Option<String> {
    let count =
        |is_it: &dyn Fn(&Run) -> bool| all.iter().flat_map(Asked::runs).filter(|(_, run)| is_it(run)).count();
    let runs = count(&|_| true);
    if objects.len() < 2 && runs < 2 {
        return None;
    }
    let counts = [
        (count(&|run| run.truth == Some(true)), "true"),
        (count(&Run::is_false), "false"),
        (count(&|run| run.value.is_err()), "with an error"),
        (all.iter().map(|asked| asked.without_value.len()).sum(), "not evaluated"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
    let plural = if objects.len() == 1 { "" } else { "s" };
    let counts = if counts.is_empty() { format!("{runs} values") } else { counts.join(", ") };
    Some(format!("{} object{plural}: {counts}", objects.len()))
}

fn answer_lines(answer: &Answer, text: &str, lines: &mut Lines) {
    let Answer { ty, estimate, advice, runs: _ } = answer;
    lines.add(format_args!("type:  {ty}"));
    let total = match answer.total() {
        u64::MAX => "without bound".to_owned(),
        total => format!("at most {total} of {RULE_LIMIT}"),
    };
    let times = match advice.count {
        0 | 1 => String::new(),
        count => format!(": {estimate} each time, for up to {count} values"),
    };
    lines.add(format_args!("cost:  {total}{times}"));
    if advice.part != (0..text.len()) && advice.part_cost < u64::MAX {
        let part = text.get(advice.part.clone()).unwrap_or_default();
        lines.add(format_args!("       most expensive part: `{part}`, with {}", advice.part_cost));
    }
}

/// The answer as JSON text, because costs go up to 2⁶⁴ and a [`Value`] has no such integers.
fn document(asked: &Asked, objects: &[ExpressionObject]) -> String {
    let text = |value: Value| json::to_string(&value);
    let expression = String::from_utf8_lossy(&asked.source.bytes);
    let found = Findings { source: asked.source.clone(), findings: asked.errors() };
    let mut out = vec![("findings", text(crate::json(&[found])))];
    if let Some(address) = &asked.address {
        out.push(("rule", text(address.as_str().into())));
        out.push(("expression", text(expression.as_ref().into())));
    }
    if let Some(version) = &asked.version {
        out.push(("version", text(version.as_str().into())));
    }
    let Ok(answer) = &asked.asked else { return json::object(out) };
    let Answer { ty, estimate, advice, runs: _ } = answer;
    out.push(("type", text(ty.as_str().into())));
    let bounds = advice.bounds.iter().map(|bound| {
        json::object([
            ("field", text(bound.field.as_str().into())),
            ("keyword", text(bound.keyword.into())),
            ("value", bound.value.to_string()),
        ])
    });
    let part = json::object([
        ("start", advice.part.start.to_string()),
        ("end", advice.part.end.to_string()),
        ("cost", advice.part_cost.to_string()),
    ]);
    let cost = json::object([
        ("total", answer.total().to_string()),
        ("once", estimate.to_string()),
        ("values", advice.count.to_string()),
        ("limit", RULE_LIMIT.to_string()),
        ("most", part),
        ("bounds", json::list(bounds)),
    ]);
    out.push(("cost", cost));
    let result = |run: &Run| {
        let mut result = vec![("spent", run.cost.to_string())];
        result.push(match &run.value {
            Ok(value) => ("value", text(value.as_str().into())),
            Err(remark) => ("error", text(remark.text.as_str().into())),
        });
        result.extend(run.why.as_ref().map(|why| ("why", text(why.to_value(&expression)))));
        result
    };
    let runs: Vec<(Option<usize>, &Run)> = asked.runs().collect();
    if let ([(_, run)], 0 | 1) = (runs.as_slice(), objects.len()) {
        out.extend(result(run));
        return json::object(out);
    }
    let results = runs.iter().map(|(number, run)| {
        let mut result = result(run);
        if let Some(object) = number.and_then(|number| objects.get(number)) {
            result.push(("object", text(object.name().into())));
            result.push(("file", text(object.file.as_str().into())));
        }
        result.push(("path", text(run.path.as_str().into())));
        json::object(result)
    });
    let others = asked.without_value.iter().filter_map(|number| objects.get(*number)).map(|object| {
        json::object([("object", text(object.name().into())), ("file", text(object.file.as_str().into()))])
    });
    out.push(("results", json::list(results.chain(others))));
    json::object(out)
}

fn line(one: &Addressed) -> String {
    let rule = one.rule.rule.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{one}  {rule}")
}

/// Prints rules with their addresses. The address comes first, so that other programs can complete it.
pub fn list(all: &[Addressed], format: Format, mut printer: impl Printer) -> Result<(), Error> {
    if format == Format::Json {
        let one = |one: &Addressed| {
            Value::Map(Map::from_iter([
                ("address", Value::from(one.to_string())),
                ("path", one.path.as_str().into()),
                ("place", one.in_schema.as_str().into()),
                ("rule", one.rule.rule.as_str().into()),
                ("message", one.rule.message.as_str().into()),
            ]))
        };
        let rules = Value::List(all.iter().map(one).collect());
        let text = json::to_string(&Value::Map(Map::from_iter([("rules", rules)])));
        return printer.print(&Ready::json(&(text + "\n")));
    }
    let mut lines = Lines::default();
    all.iter().for_each(|one| lines.add(line(one)));
    printer.print(&lines.ready())
}
