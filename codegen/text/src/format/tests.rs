//! The values that each format accepts and rejects, by the server's answers.

use super::Format;

/// The format, valid values, and invalid values.
const TABLE: &[(&str, &[&str], &[&str])] = &[
    ("bsonobjectid", &["507f1f77bcf86cd799439011"], &[]),
    (
        "uri",
        &[
            "http://example.com/a?b#c",
            "/abs/path",
            "mailto:x@y",
            "https://u:p@h:80/x",
            "http://[::1]:80/",
            "http://[fe80::1%25en0]/",
            "*",
            "http://h/%41?%zz",
            "//host/x",
            "///x",
            "http:///x",
            "x:",
            "http://h:/",
        ],
        &[
            "foo",
            "ftp://a:b:c/",
            "http://a:b:c/",
            "http://%zz",
            "a://b%20c",
            "http://a b",
            "http://[1.2.3.4]/",
            "1a:b",
        ],
    ),
    (
        "email",
        &[
            "a@b",
            "a.b@c.d",
            "\"a b\"@c",
            "Name <a@b>",
            "<a@b>",
            "a@[1.2.3.4]",
            "a@[::1]",
            "g: a@b;",
            "a@b (c)",
            "a@b (=?utf-8?q?x?=)",
            "=?utf-8?q?x?= <a@b>",
            "ä@ö",
            "\"a\\\"b\"@c",
            "a@ b",
            " a@b ",
            "\ta@b",
            "A. B. <a@b>",
            "=?us-ascii?b?YQ==?= <a@b>",
            "=?x?b?Y?= <a@b>",
        ],
        &[
            "a@[x]",
            "g: a@b, c@d;",
            "g:;",
            "(c) a@b",
            "=?foo?q?x?= <a@b>",
            "a..b@c",
            ".a@b",
            "a@b.",
            "a b@c",
            "\"\"@b",
            "a@b,c@d",
            "a@b (",
            "a @b",
            "a\n@b",
            "A B <a@b",
            "x@y (\\)",
            "=?x?b?YQ==?= <a@b>",
        ],
    ),
    (
        "hostname",
        &[
            "a",
            "a-",
            "example.com",
            "é.com",
            "☃.com",
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.com",
            "xn--a.com",
            "A.B.CO",
        ],
        &[
            "a.b",
            "a-b.c",
            "-a",
            "a_b",
            "1.2",
            "a.b1",
            "a.é",
            "a..b",
            "a.",
            ".x",
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.com",
            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.com",
            "a.b-",
        ],
    ),
    (
        "ipv4",
        &["1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4", "::1.2.3.4", "::ffff:01.2.3.4"],
        &["256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4 ", "a.b", "::1.2.3.400", ""],
    ),
    (
        "ipv6",
        &[
            "::1",
            "::",
            "1:2:3:4:5:6:7:8",
            "::ffff:1.2.3.4",
            "1:2:3:4:5:6:1.2.3.4",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8",
            "1::3:4:5:6:7:8",
        ],
        &[
            "1::2::3",
            "fe80::1%eth0",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "::ffff:01.2.3.4",
            "12345::",
            "::1:",
            ":1",
            "1.2.3.4",
        ],
    ),
    (
        "cidr",
        &[
            "1.2.3.4/8",
            "01.2.3.4/8",
            "::1/128",
            "1.2.3.4/08",
            "::/0",
            "::ffff:1.2.3.4/120",
            "1:2:3:4:5:6:7::/64",
            "::2:3:4:5:6:7:8/3",
        ],
        &["1.2.3.4/33", "::1/129", "1.2.3.4", "1.2.3.4/", "1.2.3.4/a", "/8", "1.2.3.4/8/8", "1.2.3.4/-1"],
    ),
    (
        "mac",
        &[
            "01:23:45:67:89:ab",
            "01-23-45-67-89-ab",
            "0123.4567.89ab",
            "0123456789ab",
            "01:23:45:67:89:ab:cd:ef",
            "0123.4567.89ab.cdef",
            "00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01",
        ],
        &[
            "01:23-45:67:89:ab",
            "01:23:45:67:89",
            "01:23:45:67:89:ag",
            "012345678",
            "01234.567.89ab",
            "äääääääääääää",
        ],
    ),
    (
        "uuid",
        &[
            "550e8400-e29b-41d4-a716-446655440000",
            "550e8400e29b41d4a716446655440000",
            "550E8400-e29b41d4-a716-446655440000",
        ],
        &[],
    ),
    ("uuid3", &["550e8400-e29b-31d4-a716-446655440000"], &[]),
    ("uuid4", &["550e8400-e29b-41d4-A716-446655440000"], &["550e8400-e29b-41d4-c716-446655440000"]),
    ("uuid5", &["550e8400-e29b-51d4-a716-446655440000"], &[]),
    (
        "isbn",
        &["0321751043", "978-0321751041", "080442957X", "0-8044-2957-X", "978 0 321 75104 1"],
        &["080442957x"],
    ),
    ("isbn10", &["0321751043", "080442957X"], &[]),
    ("isbn13", &["9780321751041"], &[]),
    (
        "creditcard",
        &[
            "4111111111111111",
            "4111 1111 1111 1111",
            "5500000000000004",
            "340000000000009",
            "30000000000004",
            "6011000000000004",
            "3530111333300000",
            "6500000000000002",
            "x4111-1111a1111 1111",
        ],
        &["201400000000009", "3088000000000009", "2131000000000008", "4111111111111112"],
    ),
    ("ssn", &["123-45-6789", "123 45 6789", "123-45 6789"], &["123456789", "12-345-6789", "123--45-6789"]),
    ("hexcolor", &["#fff", "fff", "#FFFFFF"], &["#ffff", "##fff", "ggg"]),
    (
        "rgbcolor",
        &["rgb(1,2,3)", "rgb( 1 , 2 , 3 )", "rgb(255,255,255)", "rgb(199,20,249)", "rgb(100,10,1)"],
        &["rgb(256,1,1)", "rgb(01,1,1)", "RGB(1,1,1)"],
    ),
    ("byte", &["YQ==", "YWI=", "YWJj"], &["YWJjZA", "", "=", "====", "Y===", "YW_-", "YQ==YQ==", "YQ==\n"]),
    ("password", &["x", ""], &[]),
    (
        "date",
        &["2020-02-29", "0000-01-01", "9999-12-31"],
        &["2021-02-29", "2020-1-1", "2020-13-01", "2020-01-01T", "20200101", "2020-04-31"],
    ),
    (
        "duration",
        &[
            "1h",
            "1h30m",
            "-1.5h",
            "0",
            "+0",
            "1 day",
            "2 weeks, 3 days",
            "1d",
            "1w2d",
            "1µs",
            "1us",
            "1 µs",
            "1.s",
            ".5s",
            "1h-1m",
            "9223372036854775807ns",
            "-9223372036854775808ns",
            "3 secs",
            "5 Min",
            "1 hourly",
            "1e3s",
            "2562047h48m",
            "1 nanos",
            "1ms",
            "1 milli",
            "1 micros",
            "5wk",
            "1 d 2 x",
            "1.5d",
        ],
        &[
            "1",
            "1 μs",
            ".s",
            "9223372036854775808ns",
            "100000000000000000000 days",
            "1 foo",
            "1 HRS",
            "abc",
            "1 n",
            "5 wks",
            "99999999999999999999 foo",
            "1µ",
            "5 ſ",
            "3 K",
        ],
    ),
    (
        "date-time",
        &[
            "2020-01-01T10:00:00Z",
            "2020-01-01t10:00:00z",
            "2020-01-01T10:00:00.123Z",
            "2020-01-01T10:00:00+02:00",
            "2020-01-01T10:00:00x5Z",
            "2020-01-01T10:00:00+99:99",
            "2020-01-01T10:00:00ZT1",
            "2020-01-01T10:00:00é1z",
            "2020-01-01T23:59:59Z",
        ],
        &[
            "2020-01-01T24:00:00Z",
            "2020-01-01T10:60:00Z",
            "2020-01-01T10:00:60Z",
            "2020-01-01T10:00:00",
            "2020-01-01 10:00:00Z",
            "T",
            "tttt",
        ],
    ),
    ("k8s-short-name", &["a", "a-b"], &["-a", "a-", "A", "a.b", ""]),
    ("k8s-long-name", &["a.b"], &["a..b", "a.", "a-.b"]),
];

#[test]
fn as_the_server_has_them() {
    for (name, good, bad) in TABLE {
        let format = Format::find(name, u32::MAX).expect(name);
        for s in *good {
            assert!(format.matches(s), "{name} takes {s:?}");
        }
        for s in *bad {
            assert!(!format.matches(s), "{name} rejects {s:?}");
        }
    }
}

#[test]
fn lengths_of_names() {
    for (format, most) in [(Format::ShortName, 63), (Format::LongName, 253)] {
        assert!(format.matches(&"x".repeat(most)));
        assert!(!format.matches(&"x".repeat(most + 1)));
    }
}

#[test]
fn names_ignore_dashes_and_depend_on_the_version() {
    assert_eq!(Format::find("date-time", 0), Format::find("datetime", 0));
    assert_eq!(Format::find("k8s-short-name", 33), None);
    assert_eq!(Format::find("k8s-short-name", 34), Some(Format::ShortName));
    assert_eq!(Format::find("int32", u32::MAX), None);
}
