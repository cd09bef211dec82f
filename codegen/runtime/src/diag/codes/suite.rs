//! Codes of test suites (`TST…`), for the reports of `crdgen test`.

codes! {
    FAILED = "TST001", "a test that fails",
        "The server does something else with the object than the test expects: it accepts or rejects it, stores another object, or answers with other \
         errors or warnings. The finding has what the test expects and what the server does. If the server is right, `crdgen test --update` \
         writes its answer into the suite. A CRD that the server rejects is a test that fails too, and the tests of its suites do not run.";
}
