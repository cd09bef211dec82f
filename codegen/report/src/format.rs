//! The output formats, and findings in them.

use crdgen_core::diag::Code;

use crate::checked::Checked;
use crate::junit::Case;
use crate::markdown::{self, Sections};
use crate::{FailOn, Findings, Ready, cases, github, gitlab, human, json, sarif};

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people: the source line, a caret and help
    #[default]
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// GitLab's code quality report
    Gitlab,
    /// JUnit XML, with a test case per object
    Junit,
    /// Markdown for comments on pull requests, folded by what the findings mean
    Markdown,
}

/// Some findings as text. Any thread may render them.
#[derive(Default)]
pub struct Rendered {
    pub(crate) text: Ready<'static>,
    pub(crate) codes: Vec<&'static Code>,
    pub(crate) cases: Vec<Case>,
    pub(crate) sections: Sections,
}

impl Rendered {
    /// Replaces the test cases by others, for formats that have them.
    pub fn keep_cases(&mut self, cases: impl Iterator<Item = Case>) {
        self.cases = cases.collect();
    }
}

impl Format {
    /// The findings of one source, or of a part of it.
    pub fn render(self, findings: &Findings) -> Rendered {
        self.render_of(findings, &[], FailOn::Error)
    }

    /// The same, for findings about some objects. Those without findings that fail the run are test cases that passed.
    pub fn render_of(self, findings: &Findings, objects: &[String], fail_on: FailOn) -> Rendered {
        self.render_with(findings, || human::render(std::slice::from_ref(findings)), objects, fail_on)
    }

    /// The same for what waited for copies.
    pub fn render_checked(self, checked: &Checked, objects: &[String], fail_on: FailOn) -> Rendered {
        let Checked { found, excerpts, .. } = checked;
        self.render_with(found, || human::render_with(found, excerpts), objects, fail_on)
    }

    fn render_with(
        self,
        findings: &Findings,
        for_people: impl FnOnce() -> Ready<'static>,
        objects: &[String],
        fail_on: FailOn,
    ) -> Rendered {
        let text = match self {
            _ if findings.findings.is_empty() => Ready::text(""),
            Format::Human => for_people(),
            Format::Json => json::items(findings),
            Format::Sarif => sarif::items(findings),
            Format::Github => github::render(findings),
            Format::Gitlab => gitlab::items(findings),
            Format::Junit | Format::Markdown => Ready::text(""),
        };
        let mut codes: Vec<&'static Code> = findings.findings.iter().map(|f| f.diag.code).collect();
        codes.dedup_by_key(|code| code.id);
        let cases = match self {
            Format::Junit => cases::cases(findings, objects, fail_on),
            Format::Human
            | Format::Json
            | Format::Sarif
            | Format::Github
            | Format::Gitlab
            | Format::Markdown => Vec::new(),
        };
        let sections = match self {
            Format::Markdown => markdown::items(findings),
            Format::Human
            | Format::Json
            | Format::Sarif
            | Format::Github
            | Format::Gitlab
            | Format::Junit => Sections::new(),
        };
        Rendered { text, codes, cases, sections }
    }
}
