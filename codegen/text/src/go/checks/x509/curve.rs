//! Checks whether a point is on one of the elliptic curves that Go knows.

use crate::go::Error;
use std::cmp::Ordering;

struct Curve {
    name: &'static str,
    oid: &'static [u32],
    /// The message if a number is not below the prime.
    too_large: &'static str,
    /// The number of bytes of a coordinate.
    bytes: usize,
    /// The prime, and the last coefficient of `y² = x³ - 3x + b`.
    p: &'static str,
    b: &'static str,
}

const CURVES: [Curve; 4] = [
    Curve {
        name: "P224",
        oid: &[1, 3, 132, 0, 33],
        too_large: "invalid P224Element encoding",
        bytes: 28,
        p: "ffffffffffffffffffffffffffffffff000000000000000000000001",
        b: "b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4",
    },
    Curve {
        name: "P256",
        oid: &[1, 2, 840, 10_045, 3, 1, 7],
        too_large: "invalid P256 element encoding",
        bytes: 32,
        p: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
        b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
    },
    Curve {
        name: "P384",
        oid: &[1, 3, 132, 0, 34],
        too_large: "invalid P384Element encoding",
        bytes: 48,
        p: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
        b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
    },
    Curve {
        name: "P521",
        oid: &[1, 3, 132, 0, 35],
        too_large: "invalid P521Element encoding",
        bytes: 66,
        p: "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        b: "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
    },
];

/// Checks a key on the curve with this identifier.
pub(super) fn check(oid: &[u32], key: &[u8]) -> Result<(), Error> {
    let curve = CURVES.iter().find(|curve| curve.oid == oid).ok_or("x509: unsupported elliptic curve")?;
    let Some((4, point)) = key.split_first() else {
        return Err("ecdsa: invalid uncompressed public key".into());
    };
    if point.len() != 2 * curve.bytes {
        return Err(Error::new(format!("invalid {} point encoding", curve.name)));
    }
    let (x, y) = point.split_at(curve.bytes);
    let (x, y, p, b) = (number(x), number(y), hex(curve.p), hex(curve.b));
    if !is_below(&x, &p) || !is_below(&y, &p) {
        return Err(curve.too_large.into());
    }
    let plus = |a: &Number, b: &Number| add(a, b, &p);
    let times = |a: &Number, b: &Number| multiply(a, b, &p);
    // Without subtraction: y² + 3x = x³ + b.
    let left = plus(&times(&y, &y), &plus(&x, &plus(&x, &x)));
    let right = plus(&times(&times(&x, &x), &x), &b);
    if left == right { Ok(()) } else { Err(Error::new(format!("{} point not on curve", curve.name))) }
}

/// A number with up to 576 bits, lowest word first. All numbers here have less than 522 bits.
type Number = [u64; 9];

/// Reads a number from bytes, highest byte first.
fn number(bytes: &[u8]) -> Number {
    let mut out = Number::default();
    for (i, byte) in bytes.iter().rev().enumerate() {
        out[i / 8] |= u64::from(*byte) << (8 * (i % 8));
    }
    out
}

fn hex(digits: &str) -> Number {
    let mut out = Number::default();
    for (i, digit) in digits.bytes().rev().enumerate() {
        let value = u64::from(char::from(digit).to_digit(16).unwrap_or_default());
        out[i / 16] |= value << (4 * (i % 16));
    }
    out
}

fn is_below(a: &Number, b: &Number) -> bool {
    a.iter().rev().cmp(b.iter().rev()) == Ordering::Less
}

/// The sum, modulo the prime.
fn add(a: &Number, b: &Number, p: &Number) -> Number {
    let mut out = Number::default();
    let mut carry = 0;
    for i in 0..out.len() {
        let sum = u128::from(a[i]) + u128::from(b[i]) + carry;
        (out[i], carry) = (sum as u64, sum >> 64);
    }
    if is_below(&out, p) {
        return out;
    }
    let mut borrow = false;
    for i in 0..out.len() {
        let (less, first) = out[i].overflowing_sub(p[i]);
        let (less, second) = less.overflowing_sub(u64::from(borrow));
        (out[i], borrow) = (less, first || second);
    }
    out
}

/// The product, modulo the prime. It is computed bit by bit, which is slow, but a certificate has only one key.
fn multiply(a: &Number, b: &Number, p: &Number) -> Number {
    let mut out = Number::default();
    for bit in (0..576).rev() {
        out = add(&out, &out, p);
        if b[bit / 64] >> (bit % 64) & 1 == 1 {
            out = add(&out, a, p);
        }
    }
    out
}
