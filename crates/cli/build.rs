//! Packs the addresses that are put right at the start of the program: it is a megabyte smaller, and starts sooner.

#[expect(clippy::disallowed_methods, reason = "this is how cargo is told and tells")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    if of("CARGO_CFG_TARGET_OS") == "linux" && of("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
