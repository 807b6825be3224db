//! The model inside the program: a static table of token vectors.
//!
//! A text's vector is the normalised mean of its tokens' rows, as Model2Vec defines it; tokens that the
//! vocabulary does not have are left out. Nothing is loaded, parsed or allocated at start: the table is laid out
//! so that it is used where the linker put it. Sums run in a fixed order without fused operations, so every
//! machine makes the same vectors.

mod characters;
mod interaction;
mod kernel;
mod pieces;
mod table;
mod words;

use std::ops::Range;
use std::time::Instant;

use crate::{Embedder, Error, Jobs, Role, Sink, Space, Spending, Vector, embed_all_at_once};
use pieces::Pieces;
use table::TABLE;

pub use interaction::{Interaction, QueryMatch, WindowScores};

/// A token of the embedded vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(u16);

impl TokenId {
    /// `None` when the vocabulary has no such token.
    pub fn new(id: u16) -> Option<Self> {
        (usize::from(id) < EmbeddedTable::VOCABULARY).then_some(Self(id))
    }

    pub fn get(self) -> u16 {
        self.0
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The weights of one token: `values` times `scale`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    pub values: [i8; EmbeddedTable::DIMS],
    pub scale: f32,
    /// The inverse norm of the unscaled `values`: a scale does not change a cosine.
    pub inverse_norm: f32,
}

/// A handle on the embedded table, which is free to copy.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedTable(());

impl EmbeddedTable {
    pub const DIMS: usize = table::DIMS;
    pub const VOCABULARY: usize = table::TOKENS;

    pub fn open() -> Self {
        Self(())
    }

    /// The known tokens of a text, in order. Names of special tokens such as `[CLS]` are plain text.
    pub fn tokens(self, text: &str) -> Vec<TokenId> {
        // A token of ordinary prose is four to five bytes long.
        let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
        self.add_tokens(text, &mut tokens);
        tokens
    }

    /// Appends the known tokens of a text.
    pub fn add_tokens(self, text: &str, tokens: &mut Vec<TokenId>) {
        let mut pieces = Pieces::default();
        words::each_word(text, |word| tokens.extend(pieces.of(word).iter().map(|piece| piece.token)));
    }

    /// The known tokens with the bytes of `text` that they stand for. Tokens made of one character share its
    /// range; marks that the model does not see belong to the token before them.
    pub fn tokens_with_spans(self, text: &str) -> Vec<(TokenId, Range<usize>)> {
        let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
        let mut pieces = Pieces::default();
        words::each_word(text, |word| {
            let pieces = pieces.of(word);
            if !pieces.is_empty() {
                let origins = words::Origins::of(word, text);
                tokens.extend(pieces.iter().map(|piece| (piece.token, origins.span(piece.range()))));
            }
        });
        tokens
    }

    pub fn row(self, token: TokenId) -> Row {
        let (scale, inverse_norm) = TABLE.measures(token);
        Row { values: TABLE.row(token).map(|byte| byte as i8), scale, inverse_norm }
    }

    /// How a token is written, without the `##` of one that continues a word.
    pub fn spelling(self, token: TokenId) -> &'static str {
        table::text(TABLE.spelling(token).0)
    }

    /// The vector of a text's tokens; `None` when there is nothing to average.
    pub fn embed_tokens(self, tokens: &[TokenId]) -> Option<Vector> {
        // Sums of the table's weights are finite, so the only failure left is that they are all zero.
        Vector::new(kernel::weighted_sum(tokens)).ok()
    }

    /// Changes when the table does: vectors and token ids of different fingerprints have nothing in common.
    pub fn fingerprint(self) -> &'static str {
        TABLE.fingerprint
    }
}

/// The embedded table as an [`Embedder`].
#[derive(Debug, Clone)]
pub struct EmbeddedModel {
    table: EmbeddedTable,
    space: Space,
}

impl EmbeddedModel {
    pub fn new() -> Self {
        let space = Space {
            provider: "embedded".to_owned(),
            model: "potion-base-8M".to_owned(),
            dims: EmbeddedTable::DIMS,
            ..Space::default()
        };
        Self { table: EmbeddedTable::open(), space }
    }
}

impl Default for EmbeddedModel {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedder for EmbeddedModel {
    fn space(&self) -> &Space {
        &self.space
    }

    /// The model has one vector for a text, whatever its role.
    fn embed(
        &self,
        _role: Role,
        texts: &[&str],
        _until: Option<Instant>,
    ) -> Result<Vec<Option<Vector>>, Error> {
        Ok(texts.iter().map(|text| self.table.embed_tokens(&self.table.tokens(text))).collect())
    }

    fn embed_each(&self, texts: &[&str], until: Option<Instant>, sink: &mut Sink<'_>) -> Result<(), Error> {
        embed_all_at_once(self, texts, until, sink)
    }

    /// No service is asked.
    fn estimate(&self, _texts: &[&str]) -> Spending {
        Spending::default()
    }

    fn spent(&self) -> Spending {
        Spending::default()
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}
