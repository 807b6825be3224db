//! What is looked for by words.

/// A term of a question, and other forms of it.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    pub term: String,
    pub forms: Vec<Form>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    pub term: String,
    /// How much of the term it is, between 0 and 1.
    pub similarity: f32,
}

impl QueryTerm {
    /// The terms as they are, in no other form.
    pub fn as_asked(terms: &[String]) -> Vec<Self> {
        terms.iter().map(|term| Self { term: term.clone(), forms: Vec::new() }).collect()
    }

    /// Every term that is looked for: each that is asked, followed by its forms.
    pub fn spellings(sought: &[Self]) -> Vec<String> {
        let forms = |sought: &Self| sought.forms.iter().map(|form| form.term.clone()).collect::<Vec<_>>();
        sought.iter().flat_map(|sought| [sought.term.clone()].into_iter().chain(forms(sought))).collect()
    }
}
