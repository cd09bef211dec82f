//! No text of a CRD becomes markup on its page, except links to the web. The tests parse pages as readers do: comrak
//! parses GitHub's Markdown, and html5ever parses HTML as browsers do.

use std::cell::RefCell;
use std::collections::BTreeSet;

use comrak::{Options, markdown_to_html};
use crdgen::docs::{PageFormat, documents, site};
use crdgen::emit::Document;
use crdgen_core::ir::{Column, Crd, Items, Schema};
use crdgen_core::value::Value;
use crdgen_tests::rng::Rng;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// Attacks that have worked against page generators, here or elsewhere.
const HOSTILE: &[&str] = &[
    "[x](javascript:alert(3))",
    "[x](JaVaScRiPt:alert(3) \"t\")",
    "\\[x](javascript:alert(3))",
    "\\\\[x](javascript:alert(3))",
    "[x]: javascript:alert(1)\n\n[x]",
    "[x][y]\n\n[y]: data:text/html,<script>alert(1)</script>",
    "![x](javascript:alert(1))",
    "![x](https://example.com/track.png)",
    "<javascript:alert(1)>",
    "<mailto:a@b.c>",
    "mailto:me@example.com and me@example.com, xmpp:me@example.com",
    "ftp://example.com/x and HTTPS://example.com",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</code></pre></li></ul><svg onload=alert(1)>",
    "<!-- comment --> <?php ?> <![CDATA[x]]> <!DOCTYPE html>",
    "``[x](javascript:alert(1))`",
    "`a``b[x](javascript:alert(1))`c",
    "`` ` ``<b>`<i>``",
    "` `` ` `` <b> ``",
    "```\n<script>alert(1)</script>",
    "~~~html\n<script>",
    "    <script>",
    "\t[x](javascript:alert(1))",
    "# heading {onclick=alert(1)}",
    "heading\n=======\n\nother\n-",
    "> quote\n> [!NOTE]\n> note",
    "* * *\n- - -\n___",
    "a | b\n--- | ---\n<i> | [x](javascript:alert(1))",
    "|a|b|\n|-|-|\n|c|d|",
    ":--\n| a",
    "- [x](javascript:alert(1))\n- [ ] task\n1. <b>",
    "[^1]\n\n[^1]: <i>note</i>",
    "term\n: definition <i>",
    "~~gone~~ ~one~ ==mark== ++ins++ ^up^ $x$ $`y`$ $$z$$ ||spoiler||",
    "**bold** __bold__ *em* _em_ ***both*** _a_b_ *a*b*",
    "&lt;script&gt; &#60;b&#62; &#x3c;i&#x3e; &amp;lt; &colon; javascript&colon;alert(1)",
    "https://example.com/\"onmouseover=\"alert(1)",
    "https://example.com/'x'><script>alert(1)</script>",
    "https://example.com/<b> https://example.com/`x` https://example.com/\\[x](javascript:1)",
    "https://example.com/a_b_c*d*e?x=1&copy=2&lt;3",
    "https://javascript:alert(1)@example.com",
    "www.example.com and xhttps://example.com",
    "{{ title }} {% include \"x\" %} {{7*7}}",
    "a\r# b\r\n[x](javascript:alert(1))\rc",
    "a\u{0}b\u{1b}[31m\u{202e}\u{85}[x](javascript:alert(1))\u{2028}# c",
    "\u{a0}\u{a0}[x](javascript:alert(1))\n\u{3000}\u{3000}# x",
    "ends with a backslash \\\nand goes on \\",
    "[x]\\(javascript:alert(1)) \\<b> \\`<b>\\`",
    "<a\nhref=javascript:alert(1)>x</a>",
    "<a href=\"javascript:alert(1)\nx",
];

/// Pieces of random texts.
const PIECES: &[&str] = &[
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "`",
    "``",
    "```",
    "~",
    "~~~",
    "*",
    "_",
    "**",
    "\\",
    "\\\\",
    "&",
    "&lt;",
    "&#",
    ";",
    "!",
    "|",
    "#",
    "- ",
    "1. ",
    "+ ",
    "> ",
    ":",
    "::",
    "=",
    "---",
    "===",
    "|-|-|",
    "\n",
    "\n\n",
    "\n    ",
    "\t",
    "\r",
    " ",
    "  ",
    "a",
    "word",
    "x_y",
    "@",
    "a@b.c",
    "javascript:alert(1)",
    "https://",
    "https://example.com/a_b",
    "http://",
    "www.a.b",
    "ftp://a",
    "//",
    "script",
    "<b>",
    "</b>",
    "<a href=\"x\">",
    "<!--",
    "-->",
    "<![CDATA[",
    "\"",
    "'",
    "onload=x",
    "{",
    "}",
    "$",
    "^",
    "\u{1b}",
    "\u{202e}",
    "\u{a0}",
    "\u{3000}",
    "ä",
    "⚠\u{fe0f}",
    "",
];

/// Returns a CRD in which this is the value of every text that people write.
pub(super) fn definition(text: &str) -> Crd {
    let mut crd = super::crd(
        r#"{"type":"object","description":"TEXT","example":{"TEXT":"TEXT"},"required":["b"],
        "x-kubernetes-validations":[{"rule":"self.b != 'TEXT'","message":"TEXT"}],
        "properties":{"a":{"type":"array","description":"TEXT","items":{"type":"object","description":"TEXT",
        "properties":{"c":{"type":"string","description":"TEXT","enum":["TEXT",""],"default":"TEXT"},
        "d":{"type":"string","pattern":"TEXT"}}}},
        "b":{"type":"string","description":"TEXT","example":"TEXT",
        "oneOf":[{"enum":["TEXT"]},{"pattern":"TEXT"}]},
        "e":{"type":"object","description":"TEXT","properties":{"f":{"type":"string"}}}}}"#,
    );
    let version = &mut crd.spec.versions[0];
    version.deprecated = true;
    version.deprecation_warning = Some(text.to_owned());
    if let Some(schema) = version.body.schema.as_mut().and_then(|s| s.open_api_v3_schema.as_mut()) {
        schema.description = text.to_owned();
        fill(schema, text);
    }
    version.body.columns = Some(vec![Column {
        name: text.to_owned(),
        ty: text.to_owned(),
        description: text.to_owned(),
        json_path: format!(".spec{text}"),
        ..Column::default()
    }]);
    crd.spec.names.kind = format!("A{text}");
    crd.spec.names.short_names = vec![text.to_owned()];
    crd.spec.names.categories = vec![text.to_owned()];
    crd.spec.names.plural = format!("as{text}");
    crd.spec.group = format!("group{text}");
    crd
}

/// Replaces the texts of a CRD by this text. Names of fields stay the same.
fn fill(schema: &mut Schema, text: &str) {
    let replace = |it: &mut String| *it = it.replace("TEXT", text);
    replace(&mut schema.description);
    replace(&mut schema.limits.pattern);
    for rule in &mut schema.rules {
        replace(&mut rule.rule);
        replace(&mut rule.message);
    }
    let values = schema.limits.enumeration.iter_mut().chain(&mut schema.default).chain(&mut schema.example);
    for value in values {
        *value = match value {
            Value::Str(it) => Value::Str(it.replace("TEXT", text)),
            _ => Value::Map([(text, Value::from(text))].into_iter().collect()),
        };
    }
    schema.limits.one_of.iter_mut().for_each(|clause| fill(clause, text));
    schema.properties.values_mut().for_each(|property| fill(property, text));
    if let Some(Items::One(item)) = &mut schema.items {
        fill(item, text);
    }
}

/// A start tag with its attributes.
type Tag = (String, Vec<(String, String)>);

/// The start tags of a page, and whether it has comments or errors.
#[derive(Default)]
struct Markup {
    tags: RefCell<Vec<Tag>>,
    other: RefCell<Vec<String>>,
}

impl TokenSink for Markup {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let attributes = tag.attrs.iter().map(|a| (a.name.local.to_string(), a.value.to_string()));
                self.tags.borrow_mut().push((tag.name.to_string(), attributes.collect()));
                match &*tag.name {
                    "style" => return TokenSinkResult::RawData(RawKind::Rawtext),
                    "title" => return TokenSinkResult::RawData(RawKind::Rcdata),
                    "script" => return TokenSinkResult::RawData(RawKind::ScriptData),
                    _ => {}
                }
            }
            // This marks files that crdgen has written.
            Token::CommentToken(text) if &*text == " @generated by crdgen " => {}
            Token::CommentToken(text) => self.other.borrow_mut().push(format!("comment {text}")),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn markup(html: &str) -> Markup {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    let options = TokenizerOpts { initial_state: Some(State::Data), ..TokenizerOpts::default() };
    let tokenizer = Tokenizer::new(Markup::default(), options);
    _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink
}

/// Renders Markdown as GitHub does, with all extensions and unchanged HTML.
fn rendered(markdown: &str) -> String {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.alerts = true;
    options.extension.math_dollars = true;
    options.extension.math_code = true;
    options.render.r#unsafe = true;
    markdown_to_html(markdown, &options)
}

/// Tags whose number must not depend on texts.
const COUNTED: &[&str] = &[
    "h1",
    "h2",
    "h3",
    "section",
    "details",
    "title",
    "style",
    "del",
    "img",
    "table",
    "blockquote",
    "hr",
    "input",
    "script",
    "sup",
];

/// Asserts that a page has the same markup as the page with harmless texts, except for what is allowed.
#[track_caller]
fn check(text: &str, page: &str, harmless: &str, allowed: &[&str], what: &str) {
    let (found, expected) = (markup(page), markup(harmless));
    let other = found.other.borrow();
    assert!(other.is_empty(), "{what} of {text:?}: {other:?}\n{page}");
    let known: BTreeSet<(String, Vec<String>)> = expected.tags.borrow().iter().map(names).collect();
    for tag in found.tags.borrow().iter() {
        let (name, attributes) = tag;
        let is_known =
            known.contains(&names(tag)) || attributes.is_empty() && allowed.contains(&name.as_str());
        let is_link = name == "a" && attributes.iter().map(|(key, _)| key).eq(["href"]);
        assert!(is_known || is_link, "{what} of {text:?}: {tag:?}\n{page}");
        for (key, value) in attributes {
            let good = match key.as_str() {
                "href" => is_good_link(value),
                // Anchors have no special characters, and labels contain only text.
                "id" | "aria-labelledby" => {
                    value.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
                }
                _ => true,
            };
            assert!(good, "{what} of {text:?}: {key}={value:?}\n{page}");
        }
    }
    // Parts that every page has are there as often as expected, so no text has swallowed them.
    for name in COUNTED {
        let count = |markup: &Markup| markup.tags.borrow().iter().filter(|(tag, _)| tag == name).count();
        assert_eq!(count(&found), count(&expected), "{what} of {text:?}: {name}\n{page}");
    }
    let anchors = |markup: &Markup| {
        markup
            .tags
            .borrow()
            .iter()
            .filter(|(_, attributes)| attributes.iter().any(|(key, _)| key == "id"))
            .count()
    };
    assert_eq!(anchors(&found), anchors(&expected), "{what} of {text:?}: anchors\n{page}");
}

/// Returns a tag without the values of its attributes, except values that do not come from the CRD.
fn names((tag, attributes): &Tag) -> (String, Vec<String>) {
    let plain = |(key, value): &(String, String)| match key.as_str() {
        "id" | "href" | "aria-label" | "aria-labelledby" | "data-names" => key.clone(),
        _ => format!("{key}={value}"),
    };
    (tag.clone(), attributes.iter().map(plain).collect())
}

/// Whether an address leads to the web, to an anchor of the page, or to a page next to it.
fn is_good_link(address: &str) -> bool {
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "._-%#".contains(c));
    address.starts_with("https://") || address.starts_with("http://") || plain(address)
}

fn check_all(text: &str, harmless: &Crd) {
    let crd = definition(text);
    let page = |crd: &Crd, format| {
        let one = std::slice::from_ref(crd);
        let texts = |documents: Vec<Document>| documents.into_iter().map(|document| document.text);
        texts(documents(one, format)).chain(texts(site(one, "Custom resources", format))).collect::<Vec<_>>()
    };
    for (found, expected) in page(&crd, PageFormat::Html).iter().zip(&page(harmless, PageFormat::Html)) {
        let allowed = ["code", "p", "ul", "ol", "li", "pre", "strong", "em"];
        check(text, found, expected, &allowed, "HTML");
    }
    for (found, expected) in
        page(&crd, PageFormat::Markdown).iter().zip(&page(harmless, PageFormat::Markdown))
    {
        let allowed = ["p", "ul", "ol", "li", "code", "br", "pre", "strong", "em"];
        check(text, &rendered(found), &rendered(expected), &allowed, "Markdown");
    }
}

#[test]
fn no_text_becomes_markup() {
    let harmless = definition("x");
    for text in HOSTILE {
        check_all(text, &harmless);
    }
}

#[test]
fn no_random_text_becomes_markup() {
    let harmless = definition("x");
    let mut rng = Rng::new(14);
    for _ in 0..150 {
        let count = 1 + rng.below(14);
        let text: String = (0..count).map(|_| *rng.pick(PIECES)).collect();
        check_all(&text, &harmless);
    }
}

/// Allowed markup works: links to the web can be clicked in both formats.
#[test]
fn links_to_the_web_are_live() {
    let crd = definition("See https://example.com/a_b?x=1&y=2, or `code_here`.");
    let html = documents(std::slice::from_ref(&crd), PageFormat::Html).remove(0).text;
    let markdown = rendered(&documents(std::slice::from_ref(&crd), PageFormat::Markdown).remove(0).text);
    for page in [html, markdown] {
        let found = markup(&page);
        let tags = found.tags.borrow();
        let href = ("href".to_owned(), "https://example.com/a_b?x=1&y=2".to_owned());
        assert!(tags.iter().any(|(tag, attributes)| tag == "a" && attributes.contains(&href)), "{page}");
        assert!(page.contains("<code>code_here</code>"), "{page}");
    }
}
