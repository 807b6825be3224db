//! An index as plain lines, without what may differ between two indexes of the same notes: the numbers and the order
//! of the chunks, and the time of the writing.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

#[derive(Debug, PartialEq)]
pub(crate) struct Dump(BTreeSet<String>);

/// Each gives one text column.
const QUERIES: [&str; 9] = [
    "SELECT 'file ' || path || ' ' || source || ' ' || hash || ' ' || mtime || ' ' || size || ' ' || ctime || ' ' || inode
     FROM files",
    "SELECT 'chunk ' || id || ' ' || path || ' ' || source || ' ' || start_line || '-' || end_line || ' ' || hash || ' '
     || model || ' ' || ifnull(day, '-') || ' ' || ifnull(hex(embedding), '-') || ' ' || hex(tokens) || ' ' || context
     || ' ' || text FROM chunks",
    "SELECT 'term ' || term || ' ' || chunks FROM terms",
    "SELECT 'posting ' || v.term || ' ' || ifnull(c.id, 'none') || ' ' || v.col || ' ' || count(*)
     FROM chunks_vocab v LEFT JOIN chunks c ON c.doc = v.doc GROUP BY v.term, v.doc, v.col",
    "SELECT 'fact ' || place || ' ' || path || ' ' || start_line || ' ' || hash || ' ' || ifnull(hex(embedding), '-') || ' '
     || fact_id || ' ' || kind || ' ' || salience || ' ' || entities || ' ' || line FROM facts",
    "SELECT 'fact term ' || term || ' ' || chunks FROM facts_terms",
    "SELECT 'entity ' || name || ' ' || fact_count || ' ' || idf_weight FROM entity_stats",
    "SELECT 'pair ' || min(a.name, b.name) || ' ' || max(a.name, b.name) || ' ' || c.cooccur_count || ' '
     || c.cooccur_weight FROM entity_cooccurrence c JOIN entities a ON a.id = c.entity_id_1
     JOIN entities b ON b.id = c.entity_id_2",
    "SELECT 'names ' || f.place || ' ' || e.name || ' ' || fe.entity FROM fact_entities fe
     JOIN facts f ON f.id = fe.fact_id JOIN entities e ON e.id = fe.entity_id",
];

pub(crate) fn of(index: &Path) -> Dump {
    let connection = Connection::open_with_flags(index, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut lines = BTreeSet::new();
    for sql in QUERIES {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        for line in rows {
            let line = line.unwrap();
            assert!(lines.insert(line.clone()), "twice in {}: {line}", index.display());
        }
    }
    Dump(lines)
}

impl Dump {
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let lines = |title: &str, lines: Vec<&String>| {
            let shown: Vec<String> =
                lines.iter().take(3).map(|line| line.chars().take(200).collect()).collect();
            format!("{} only in the {title}: {shown:#?}", lines.len())
        };
        (self != other).then(|| {
            let first = lines("first", self.0.difference(&other.0).collect());
            format!("indexes differ: {first}, {}", lines("second", other.0.difference(&self.0).collect()))
        })
    }
}
