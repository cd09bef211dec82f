//! The playground in a browser. `$CRDGEN_PLAYGROUND` is the page that `.ci/playground` has made.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::browser::{Browser, axe};

/// Opens the page in a browser. `None` if the page or the browser is missing.
fn opened(name: &str, fragment: &str) -> Option<Browser> {
    let Some(page) = std::env::var_os("CRDGEN_PLAYGROUND").map(PathBuf::from) else {
        crdgen_tests::skip(name, "$CRDGEN_PLAYGROUND does not name the page (.ci/playground FILE)");
        return None;
    };
    let mut browser = Browser::or_skip(name)?;
    browser.look(1400, "light");
    browser.open(&page.canonicalize().expect("the page"), fragment);
    answered(&mut browser);
    Some(browser)
}

/// Waits until all requests are answered.
fn answered(browser: &mut Browser) {
    let start = Instant::now();
    while browser.value("ready && !waiting") != true {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", browser.value("document.body.innerText"));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Types a text into an input as a user would, and waits for the answer.
fn write(browser: &mut Browser, id: &str, text: &str) {
    let text = Value::from(text);
    browser.value(&format!(
        "(() => {{ const input = byId('{id}'); input.value = {text}; input.dispatchEvent(new Event('input')); }})()"
    ));
    answered(browser);
}

fn text(browser: &mut Browser, selector: &str) -> String {
    browser
        .value(&format!("document.querySelector('{selector}').innerText"))
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn choose(browser: &mut Browser, view: &str) {
    browser.value(&format!("byId('tab-{view}').click()"));
    answered(browser);
}

/// Asserts that nothing was loaded, and that there were no errors.
fn is_quiet(browser: &Browser) {
    let bad = |event: &&Value| match event["method"].as_str() {
        Some("Network.requestWillBeSent") => {
            let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
            !["file:", "blob:", "about:"].iter().any(|scheme| url.starts_with(scheme))
        }
        Some("Log.entryAdded" | "Runtime.exceptionThrown" | "Runtime.consoleAPICalled") => true,
        _ => false,
    };
    let bad: Vec<&Value> = browser.events.iter().filter(bad).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn the_first_verdict_and_every_view() {
    let start = Instant::now();
    let Some(mut browser) = opened("playground", "") else { return };
    let loaded = browser.value("performance.now()");
    eprintln!("first verdict {loaded} ms after the page was opened; with the browser {:?}", start.elapsed());
    assert!(text(&mut browser, "#summary").contains("1 of 1 CRD accepted · 1 of 2 objects valid"));
    let findings = text(&mut browser, "#findings");
    assert!(findings.contains("replicas must not exceed maxReplicas"), "{findings}");
    assert!(findings.contains("^^^"), "{findings}");
    assert_ne!(browser.value("document.querySelectorAll('.marks mark').length"), 0);
    assert!(text(&mut browser, "#answer").contains("value 5"));
    for (view, part) in [
        ("rust", "pub struct CronTabSpec"),
        ("yaml", "kind: CustomResourceDefinition"),
        ("rules", "self.replicas <= self.maxReplicas"),
        ("stored", "maxReplicas: 10"),
        ("table", "every-five-minutes"),
    ] {
        choose(&mut browser, view);
        let shown = text(&mut browser, "#shown");
        assert!(shown.contains(part), "{view}: {shown}");
        browser.screenshot(&format!("playground-{view}"));
    }
    choose(&mut browser, "docs");
    let page = "document.querySelector('#shown iframe').contentDocument";
    let start = Instant::now();
    while browser.value(&format!("{page}.querySelector('main') ? 1 : 0")) == 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "no documentation");
        std::thread::sleep(Duration::from_millis(20));
    }
    let docs = browser.value(&format!("{page}.body.innerText"));
    assert!(docs.as_str().is_some_and(|docs| docs.contains("When to run, in the form of cron.")), "{docs}");
    let style = browser.value(&format!("getComputedStyle({page}.querySelector('main')).maxWidth"));
    assert_ne!(style, "none", "the page has no style");
    // The result has to be painted first.
    std::thread::sleep(Duration::from_millis(500));
    browser.screenshot("playground-docs");
    is_quiet(&browser);
}

#[test]
fn rust_types_become_definitions() {
    let Some(mut browser) = opened("playground-rust", "") else { return };
    browser.value("(() => { byId('example').value = 'Rust types'; byId('example').dispatchEvent(new Event('change')); })()");
    answered(&mut browser);
    let shown = text(&mut browser, "#shown");
    assert!(shown.contains("name: crontabs.stable.example.com"), "{shown}");
    let rust = browser.value("byId('definitions').value");
    let broken = rust.as_str().unwrap_or_default().replace("self.maxReplicas", "self.maxReplica");
    write(&mut browser, "definitions", &broken);
    let findings = text(&mut browser, "#findings");
    assert!(findings.contains("did you mean `maxReplicas`"), "{findings}");
    browser.screenshot("playground-rust");
    is_quiet(&browser);
}

#[test]
fn a_link_brings_everything_back() {
    let Some(mut browser) = opened("playground-link", "") else { return };
    write(&mut browser, "definitions", "kind: Nothing\nname: ü😀\n");
    write(&mut browser, "path", ".spec.deep");
    choose(&mut browser, "table");
    let fragment = browser.value("toFragment()");
    let fragment = fragment.as_str().expect("a fragment").to_owned();
    drop(browser);
    let Some(mut browser) = opened("playground-link-2", &fragment) else { return };
    assert_eq!(browser.value("byId('definitions').value"), "kind: Nothing\nname: ü😀\n");
    assert_eq!(browser.value("byId('path').value"), ".spec.deep");
    assert_eq!(browser.value("document.querySelector('[aria-selected=true]').id"), "tab-table");
    drop(browser);
    // Links that the playground did not create.
    for fragment in ["#x", "#AAAA", "#%00", "#🙂"] {
        let Some(mut browser) = opened("playground-bad-link", fragment) else { return };
        assert_ne!(browser.value("byId('definitions').value"), "", "{fragment}");
    }
}

/// The answer arrives in time after a change in a CRD of 200 KB.
#[test]
fn large_definitions_are_checked_while_typing() {
    let Some(mut browser) = opened("playground-large", "") else { return };
    let field = |n: usize| {
        format!(
            "                field{n}:\n                  description: What field {n} is for, in some words.\n                  \
             type: string\n                  maxLength: 63\n                  pattern: '^[a-z0-9]+$'\n"
        )
    };
    let mut crd = browser.value("byId('definitions').value").as_str().unwrap_or_default().to_owned();
    let at = crd.find("                cronSpec:").expect("a field");
    let fields: String = (0..1100).map(field).collect();
    crd.insert_str(at, &fields);
    eprintln!("{} bytes", crd.len());
    choose(&mut browser, "rules");
    let mut times = Vec::new();
    for n in 0..12 {
        write(&mut browser, "definitions", &crd.replace("maximum: 10", &format!("maximum: {n}")));
        let summary = text(&mut browser, "#summary");
        let time = summary.rsplit("· ").next().and_then(|it| it.strip_suffix(" ms")?.parse::<f64>().ok());
        times.push(time.unwrap_or_else(|| panic!("{summary}")));
    }
    times.sort_by(f64::total_cmp);
    eprintln!("checked in {} ms (median of {times:?})", times[times.len() / 2]);
}

#[test]
fn hostile_texts_are_inert() {
    let Some(mut browser) = opened("playground-hostile", "") else { return };
    let crd = browser.value("byId('definitions').value");
    let evil = "'</script><img src=x onerror=document.title=1><script>document.title=2</script>'";
    let crd = crd.as_str().unwrap_or_default().replace("When to run, in the form of cron.", evil);
    write(&mut browser, "definitions", &crd);
    write(
        &mut browser,
        "objects",
        "apiVersion: stable.example.com/v1\nkind: <img src=x onerror=document.title=1>\n",
    );
    for view in ["docs", "rust", "yaml", "stored", "table", "rules"] {
        choose(&mut browser, view);
    }
    write(&mut browser, "rule", "<img src=x onerror=document.title=1>");
    assert_eq!(browser.value("document.title"), "crdgen playground");
    assert_eq!(browser.value("document.querySelectorAll('img').length"), 0);
    let deep = "[".repeat(100_000);
    for input in ["definitions", "objects", "rule"] {
        write(&mut browser, input, &deep);
        let summary = text(&mut browser, "#summary");
        assert!(summary.contains("error"), "{input}: {summary}");
    }
    is_quiet(&browser);
}

#[test]
fn the_playground_is_accessible() {
    let Some(mut browser) = opened("playground-axe", "") else { return };
    let Some(axe) = axe() else { return };
    for (width, scheme) in [(360, "dark"), (1400, "light")] {
        browser.look(width, scheme);
        for view in ["rust", "rules", "table"] {
            choose(&mut browser, view);
            assert_eq!(browser.violations(&axe), "", "{view} {width} {scheme}");
        }
        assert_eq!(browser.value("document.documentElement.scrollWidth - innerWidth <= 0"), true, "{width}");
        browser.screenshot(&format!("playground-{width}-{scheme}"));
    }
    // The tabs are one stop for the Tab key, and the arrow keys move between them.
    browser.value("byId('tab-rust').click(); byId('tab-rust').focus()");
    browser.press("ArrowRight", 39, "");
    answered(&mut browser);
    assert_eq!(browser.value("document.activeElement.id"), "tab-yaml");
}
