//! Closed sets of words.

/// Declares an enum whose values are words, with all of them in order, the word of each, and the value of a word.
///
/// ```
/// mindfile_note::word_enum! {
///     /// What a person answers.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Answer {
///         Yes = "yes",
///         No = "no",
///     }
/// }
///
/// assert_eq!(Answer::ALL, [Answer::Yes, Answer::No]);
/// assert_eq!(Answer::parse("no"), Some(Answer::No));
/// assert_eq!(Answer::Yes.as_str(), "yes");
/// ```
#[macro_export]
macro_rules! word_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$note])* $variant,)+
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }
    };
}
