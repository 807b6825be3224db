//! Another engine than the built-in one: whether it is there, and what it has to search.

use super::Patient;
use super::finding::{Diagnosis, good, problem, quoted_path, warning};
use mindfile_fault::Hint;
use mindfile_qmd::{Program, State};

/// The first of QMD's versions that takes a question line by line.
const OLDEST: u32 = 2;

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) {
    let Some(state) = mindfile_qmd::state(patient.memory) else { return };
    found.push(program(patient, &state));
    found.extend(state.problems.iter().map(|why| left_out(why)));
    found.extend(models(&state));
    found.extend(outages(patient));
}

fn program(patient: &Patient<'_>, state: &State) -> Diagnosis {
    const EFFECT: &str = "every search is answered by the built-in index instead";
    match mindfile_qmd::program(patient.memory) {
        Program::Failed(why) => problem(format!("QMD cannot be asked: {why}"), EFFECT).by(remedy(patient)),
        Program::Version(version) if major(&version).is_some_and(|major| major < OLDEST) => {
            warning(format!("{version} is older than version {OLDEST}"), "searches may fail")
                .by("npm install -g @tobilu/qmd@latest")
        }
        Program::Version(version) => {
            let count = state.collections.len();
            good(format!("{version} searches {count} collections, in {}", state.home.display()))
        }
    }
}

fn remedy(patient: &Patient<'_>) -> Hint {
    let command = &patient.settings().qmd.command;
    if command.components().count() > 1 && !command.exists() {
        return Hint::set("memory.qmd.command", "qmd");
    }
    "npm install -g @tobilu/qmd".into()
}

/// `qmd 2.8.3 (facd35e)`
fn major(version: &str) -> Option<u32> {
    version.strip_prefix("qmd ")?.split('.').next()?.parse().ok()
}

fn left_out(why: &str) -> Diagnosis {
    warning(format!("QMD leaves something out: {why}"), "what is there is not searched")
        .by("mindfile config show memory.qmd")
}

/// Modes that need models, where they are not there.
fn models(state: &State) -> Option<Diagnosis> {
    if state.models >= state.models_needed {
        return None;
    }
    let folder = state.home.join("xdg-cache/qmd/models");
    let what = format!(
        "searchMode \"{}\" needs {} models of QMD, and {} has {}",
        state.mode,
        state.models_needed,
        folder.display(),
        state.models
    );
    let effect = if state.mode == "query" {
        "QMD goes by words alone"
    } else {
        "every search is answered by the built-in index instead"
    };
    let home = quoted_path(&state.home);
    Some(
        warning(what, effect)
            .by(format!("XDG_CACHE_HOME={home}/xdg-cache XDG_CONFIG_HOME={home}/xdg-config qmd pull")),
    )
}

fn outages(patient: &Patient<'_>) -> Vec<Diagnosis> {
    let known = patient.memory.outages.known();
    let on = known.iter().filter(|outage| outage.is_on());
    on.map(|outage| {
        problem(outage.words(), "the built-in index answers until it is back").by(patient.run("index", &[]))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read() {
        assert_eq!(major("qmd 2.8.3 (facd35e)"), Some(2));
        assert_eq!(major("qmd 10.0.0"), Some(10));
        assert_eq!(major("qmd next"), None);
    }
}
