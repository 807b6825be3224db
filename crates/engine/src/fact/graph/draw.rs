//! One entity's neighbourhood as a picture: DOT for Graphviz, or an SVG that stands alone.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::{Entity, Graph, Neighbour};

/// More neighbours than this are not readable around one circle.
const SHOWN: usize = 16;
const SIDE: f64 = 640.0;
const RADIUS: f64 = 220.0;
const LONGEST_LABEL: usize = 22;

/// The neighbourhood as Graphviz reads it: the entity, its heaviest neighbours, and what connects those.
pub fn dot(graph: &Graph, center: Entity) -> String {
    let shown = shown(graph, center);
    let mut text = String::from("graph mindfile {\n  layout=neato; overlap=false; node [shape=ellipse];\n");
    line(&mut text, format_args!("  {} [style=bold];", quoted(graph, center)));
    for neighbour in &shown {
        let (a, b) = (quoted(graph, center), quoted(graph, neighbour.entity));
        line(&mut text, format_args!("  {a} -- {b} [{}];", weights(neighbour)));
    }
    for (a, neighbour) in among(graph, &shown) {
        let (a, b) = (quoted(graph, a), quoted(graph, neighbour.entity));
        line(&mut text, format_args!("  {a} -- {b} [{}, style=dotted];", weights(&neighbour)));
    }
    text.push_str("}\n");
    text
}

/// The neighbourhood as a picture: the entity in the middle, its heaviest neighbours around it, thicker lines for
/// heavier pairs, larger circles for more facts. Readable on light and dark ground.
pub fn svg(graph: &Graph, center: Entity) -> String {
    let shown = shown(graph, center);
    let place = |at: usize| around(at, shown.len());
    let mut text = head(graph, center);
    let heaviest = shown.iter().map(|neighbour| neighbour.cooccur_weight).fold(f64::MIN_POSITIVE, f64::max);
    for (a, neighbour) in among(graph, &shown) {
        let at = |entity| shown.iter().position(|other| other.entity == entity).map(place);
        if let (Some(from), Some(to)) = (at(a), at(neighbour.entity)) {
            edge(&mut text, from, to, 1.0, "faint");
        }
    }
    for (at, neighbour) in shown.iter().enumerate() {
        edge(&mut text, MIDDLE, place(at), 1.0 + 4.0 * neighbour.cooccur_weight / heaviest, "near");
    }
    for (at, neighbour) in shown.iter().enumerate() {
        node(&mut text, graph, neighbour.entity, place(at), "other");
    }
    node(&mut text, graph, center, MIDDLE, "center");
    text.push_str("</svg>\n");
    text
}

const MIDDLE: (f64, f64) = (SIDE / 2.0, SIDE / 2.0);

fn shown(graph: &Graph, center: Entity) -> Vec<Neighbour> {
    graph.neighbours(center).iter().take(SHOWN).copied().collect()
}

/// The pairs among the neighbours, each once.
fn among(graph: &Graph, shown: &[Neighbour]) -> Vec<(Entity, Neighbour)> {
    let mut pairs = Vec::new();
    for (at, a) in shown.iter().enumerate() {
        let later = &shown[at + 1..];
        let of = graph.neighbours(a.entity).iter();
        let of = of.filter(|b| later.iter().any(|other| other.entity == b.entity));
        pairs.extend(of.map(|b| (a.entity, *b)));
    }
    pairs
}

fn around(at: usize, count: usize) -> (f64, f64) {
    let angle = TAU * at as f64 / count.max(1) as f64 - TAU / 4.0;
    (MIDDLE.0 + RADIUS * angle.cos(), MIDDLE.1 + RADIUS * angle.sin())
}

fn head(graph: &Graph, center: Entity) -> String {
    let name = escaped(graph.name(center));
    let facts = graph.fact_count(center);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <title>@{name}: {facts} facts and the entities named with it</title>\n\
         <style>.faint{{stroke:#8888;stroke-dasharray:2 4}}.near{{stroke:#4a90c2}}.other{{fill:#dbeafe;stroke:#4a90c2}}\
         .center{{fill:#fde68a;stroke:#b45309}}text{{fill:#111}}.count{{fill:#666;font-size:11px}}\
         @media (prefers-color-scheme:dark){{text{{fill:#eee}}.count{{fill:#aaa}}.other{{fill:#1e3a5f}}\
         .center{{fill:#7c4a03}}}}</style>\n"
    )
}

fn edge(text: &mut String, from: (f64, f64), to: (f64, f64), width: f64, class: &str) {
    line(
        text,
        format_args!(
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke-width=\"{width:.1}\"/>",
            from.0, from.1, to.0, to.1
        ),
    );
}

fn node(text: &mut String, graph: &Graph, entity: Entity, (x, y): (f64, f64), class: &str) {
    let facts = graph.fact_count(entity);
    let radius = 10.0 + 4.0 * f64::from(facts + 1).ln();
    line(text, format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"));
    let below = y + radius + 14.0;
    line(text, format_args!("<text x=\"{x:.1}\" y=\"{below:.1}\">@{}</text>", label(graph.name(entity))));
    let middle = y + 4.0;
    line(text, format_args!("<text class=\"count\" x=\"{x:.1}\" y=\"{middle:.1}\">{facts}</text>"));
}

fn label(name: &str) -> String {
    match name.char_indices().nth(LONGEST_LABEL) {
        Some((end, _)) => format!("{}…", escaped(&name[..end])),
        None => escaped(name),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn quoted(graph: &Graph, entity: Entity) -> String {
    format!("\"@{}\"", graph.name(entity).replace('\\', "\\\\").replace('"', "\\\""))
}

fn weights(neighbour: &Neighbour) -> String {
    format!("label=\"{}\", weight=\"{:.3}\"", neighbour.cooccur_count, neighbour.cooccur_weight)
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    match text.write_fmt(arguments) {
        Ok(()) | Err(_) => text.push('\n'),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use mindfile_index::Doc;

    use mindfile_index::Shelf;

    use super::*;

    fn graph() -> Graph {
        let facts: [Vec<String>; 4] =
            [&["sarah", "project"][..], &["sarah", "database"], &["database", "project"], &["api"]]
                .map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Graph::of(
            facts.iter().enumerate().map(|(at, names)| (Doc::new(Shelf::Facts, at as u32), names.as_slice())),
        )
    }

    #[test]
    fn dot_names_the_neighbours_and_what_connects_them() {
        let graph = graph();
        expect![[r#"
            graph mindfile {
              layout=neato; overlap=false; node [shape=ellipse];
              "@sarah" [style=bold];
              "@sarah" -- "@database" [label="1", weight="0.829"];
              "@sarah" -- "@project" [label="1", weight="0.829"];
              "@database" -- "@project" [label="1", weight="0.829", style=dotted];
            }
        "#]]
        .assert_eq(&dot(&graph, graph.find("sarah").unwrap()));
    }

    #[test]
    fn the_picture_has_every_neighbour_and_needs_nothing_else() {
        let graph = graph();
        let svg = svg(&graph, graph.find("sarah").unwrap());
        for name in ["@sarah", "@database", "@project"] {
            assert!(svg.contains(&format!(">{name}</text>")), "{svg}");
        }
        assert!(!svg.contains("@api") && svg.matches("<line").count() == 3, "{svg}");
        assert!(!svg.contains("href") && !svg.contains("url("), "{svg}");
    }

    #[test]
    fn a_name_cannot_break_out_of_the_picture() {
        let names = [vec!["a<b>&\"c".to_owned(), "x".repeat(60)]];
        let graph = Graph::of(names.iter().map(|names| (Doc::new(Shelf::Facts, 1), names.as_slice())));
        let center = graph.find("a<b>&\"c").unwrap();
        let svg = svg(&graph, center);
        assert!(svg.contains("@a&lt;b&gt;&amp;&quot;c") && !svg.contains(&"x".repeat(30)), "{svg}");
        assert!(dot(&graph, center).contains("\"@a<b>&\\\"c\""));
    }
}
