//! All commands as clap's: built from the tables, and read.

use clap::{ArgMatches, Args, FromArgMatches};

use crate::arguments::{Globals, examples};

/// Before any command, as OpenClaw spells them.
pub(crate) const AGAIN: &str = "memory";

/// Commands that are found below another one.
const GROUPS: [(&str, &str, &str); 3] = [
    ("audit", "Show who wrote what and who saw what, in a log that reveals tampering", examples::AUDIT),
    ("policy", "Show what may be stored, and test a text against the rules", examples::POLICY),
    ("session", "Record, flush and compact conversations", examples::SESSION),
];

/// The program's command, with all commands below it. The arguments of one are put together when it is the one that is
/// asked for.
pub(crate) fn command() -> clap::Command {
    let program = Globals::augment_args(clap::Command::new("mindfile"))
        .about("Plain-Markdown memory for AI agents, in notes that stay yours")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .disable_help_subcommand(true)
        .after_help(examples::ALL);
    let again = clap::Command::new(AGAIN).about("The same commands, as OpenClaw spells them").hide(true);
    filled(program).subcommand(filled(again))
}

fn filled(parent: clap::Command) -> clap::Command {
    let parent = parent.arg_required_else_help(true).subcommand_required(true);
    let groups = GROUPS.iter().map(|(name, about, examples)| {
        let group = clap::Command::new(*name).about(*about).after_help(*examples);
        group.arg_required_else_help(true).subcommand_required(true)
    });
    let parent = parent.subcommands(groups);
    super::all().iter().fold(parent, |parent, command| match command.words().split_once(' ') {
        None => parent.subcommand(built(command.words(), command)),
        Some((group, name)) => parent.mut_subcommand(group, |group| group.subcommand(built(name, command))),
    })
}

fn built(name: &'static str, command: &super::Command) -> clap::Command {
    clap::Command::new(name).about(command.row.about).after_help(command.row.examples).defer(command.augment)
}

/// What was typed.
pub(crate) fn parse() -> Result<(ArgMatches, Globals), clap::Error> {
    let matches = command().try_get_matches()?;
    let globals = Globals::from_arg_matches(&matches)?;
    Ok((matches, globals))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};
    use expect_test::expect_file;

    /// When it fails, `UPDATE_EXPECT=1 cargo test -p mindfile-cli --lib commands` writes the page anew.
    #[test]
    fn the_page_of_commands_is_what_the_commands_say() {
        let mut program = super::command();
        program.build();
        let everywhere: String = arguments(&program);
        let mut page = format!(
            "# Commands\n\nEvery command, as `mindfile help COMMAND` explains it. This page is made from the program.\n\n\
             With any command:\n\n{everywhere}"
        );
        program.get_subcommands().for_each(|command| describe(command, "mindfile", &mut page));
        expect_file!["../../../../docs/commands.md"].assert_eq(&page);
    }

    fn describe(command: &Command, parent: &str, page: &mut String) {
        if command.is_hide_set() {
            return;
        }
        let name = format!("{parent} {}", command.get_name());
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        page.push_str(&format!("\n## {name}\n\n{about}.\n"));
        let own = arguments(command);
        if !own.is_empty() {
            page.push_str(&format!("\n{own}"));
        }
        if let Some(help) = command.get_after_help().map(ToString::to_string) {
            let lines = help.lines().skip_while(|line| *line == "Examples:");
            let lines = lines.map(|line| match line.strip_prefix("  ") {
                Some(example) => format!("    {example}\n"),
                None => format!("{line}\n"),
            });
            page.push_str(&format!("\n{}", lines.collect::<String>()));
        }
        command.get_subcommands().for_each(|below| describe(below, &name, page));
    }

    /// A table of what a command takes; what every command takes stands above.
    fn arguments(command: &Command) -> String {
        let is_own = |arg: &&Arg| command.get_name() == "mindfile" || !arg.is_global_set();
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        let shown = shown.filter(|arg| !["help", "version"].contains(&arg.get_id().as_str())).filter(is_own);
        let rows: String = shown.map(row).collect();
        if rows.is_empty() { rows } else { format!("| | |\n|---|---|\n{rows}") }
    }

    fn row(arg: &Arg) -> String {
        let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
        let value = value.map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        let name = match (arg.get_long(), value) {
            (Some(long), Some(value)) => format!("--{long} {value}"),
            (Some(long), None) => format!("--{long}"),
            (None, value) => value.unwrap_or_else(|| arg.get_id().to_string()),
        };
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default().replace('<', "&lt;");
        let default = arg.get_default_values().first().filter(|_| arg.get_action().takes_values());
        let default = default.map(|value| format!(" (default {})", value.to_string_lossy()));
        let words: Vec<String> =
            arg.get_possible_values().iter().map(|word| format!("`{}`", word.get_name())).collect();
        let is_closed = arg.get_action().takes_values() && !words.is_empty();
        let words = if is_closed { format!(": {}", words.join(", ")) } else { String::new() };
        format!(
            "| `{}` | {help}{}{} |\n",
            name.replace('|', "\\|"),
            words.replace('|', "\\|"),
            default.unwrap_or_default()
        )
    }
}
