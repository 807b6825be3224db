//! What may be stored and shown.

mod applies;
mod doors;
mod rules;

/// Something that must not be stored; put together, so that no scanner takes it for a real one.
pub(crate) fn token() -> String {
    ["gh", "p_", "q7Rt2Lw9Xc4Vb8Nm1Kj5Hg3Fd6Sa0PoIuYtR"].concat()
}

/// The number of a bank account from the standard's own example: masked by default.
pub(crate) const ACCOUNT: &str = "GB82 WEST 1234 5698 7654 32";
