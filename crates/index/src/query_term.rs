//! The terms of a question.

/// A term of a question, and other forms of it.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    pub term: String,
    pub forms: Vec<Form>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    pub term: String,
    /// How similar it is to the term, between 0 and 1.
    pub similarity: f32,
}

impl QueryTerm {
    /// Terms without other forms.
    pub fn as_asked(terms: &[String]) -> Vec<Self> {
        terms.iter().map(|term| Self { term: term.clone(), forms: Vec::new() }).collect()
    }

    /// Every term to look for: each term of the question, followed by its forms.
    pub fn spellings(sought: &[Self]) -> Vec<String> {
        let forms = |sought: &Self| sought.forms.iter().map(|form| form.term.clone()).collect::<Vec<_>>();
        sought.iter().flat_map(|sought| [sought.term.clone()].into_iter().chain(forms(sought))).collect()
    }
}
