#!/usr/bin/env python3
"""Turns what `run` measured into the tables that are committed."""

import json
import pathlib
import re
import sys

MODES = ["hybrid", "keyword", "vector"]
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def main():
    command, *arguments = sys.argv[1:]
    commands = {"truth": truth, "workspaces": workspaces, "languages": languages, "associative": associative}
    commands |= {"locomo": locomo, "xquad": xquad, "readme": readme}
    commands[command](*arguments)


def truth(measured, folder, stamp):
    """ranks.tsv and table.md."""
    modes = {mode["mode"]: mode for mode in json.loads(pathlib.Path(measured).read_text())["modes"]}
    rows = zip(*(modes[mode]["questions"] for mode in MODES))
    lines = ["\t".join(["id", "category", *MODES])]
    lines += ["\t".join([row[0]["id"], row[0]["category"], *map(rank, row)]) for row in rows]
    folder = pathlib.Path(folder)
    (folder / "ranks.tsv").write_text("\n".join(lines) + "\n")
    head = ["mode", "category", "questions", "recall@5", "recall@10", "NDCG@10", "all@10", "seen@6", "answer@3", "silent"]
    keys = ["recallAt5", "recallAt10", "ndcgAt10", "allAt10", "seenAt6", "answerAt3", "silent"]
    body = []
    for mode in MODES:
        for means in [modes[mode]["all"], *modes[mode]["rows"]]:
            found = means["category"] != "unanswerable"
            figures = [percent(means[key]) if found or key == "silent" else "" for key in keys]
            body.append([mode, means["category"], means["questions"], *figures])
    (folder / "table.md").write_text(document("Truth set", stamp, TRUTH, [(head, body)]))


TRUTH = """\
`mindfile eval truth evals/truth/questions.jsonl --workspace crates/cli/demo --questions`. Means over questions in
percent. `answer@3` is the share of the evidence that is the best line of one of the first three hits; `silent` the share of
answers with weak hits alone: right for `unanswerable`, wrong elsewhere."""


def rank(question):
    if question["rank"] is not None:
        return str(question["rank"])
    return "silent" if question["silent"] else "-"


def workspaces(measured, target, stamp):
    found = load(pathlib.Path(measured))
    head = [f"{category}: {FIGURES[figure]}" for category, figure in WORKSPACE_COLUMNS]
    tables = [
        ([title, *head], [[key, *workspace(sets)] for key, sets in found[part].items()])
        for part, title in {"sizes": "asked of", "workspaces": "all notes of"}.items()
    ]
    pathlib.Path(target).write_text(document("Eight workspaces", stamp, WORKSPACES, tables))


WORKSPACE_COLUMNS = [
    ("direct", "asked"),
    ("direct", "unasked"),
    ("direct", "right"),
    ("paraphrase", "asked"),
    ("paraphrase", "unasked"),
    ("unrelated", "silent"),
    ("unrelated", "called"),
    ("near", "silent"),
    ("near", "called"),
]
FIGURES = {
    "asked": "found",
    "unasked": "found, more than weak",
    "silent": "silent",
    "called": "called answers",
    "right": "answers that are right",
}


def workspace(sets):
    """A cell stays empty where a category was not asked."""
    asked = ((sets.get(category), figure) for category, figure in WORKSPACE_COLUMNS)
    return [counted[figure] if counted else "" for counted, figure in asked]


WORKSPACES = """\
`workspaces.py evals/workspaces evals/languages/en.json --bin target/release/mindfile`; `workspaces/README.md` says what is asked.
Found is the share of the questions, in percent, whose lines are in the first ten hits; silent the share of answers with weak
hits alone, right for questions that have none; called answers the number of hits that say so, and how many of them are right."""


def languages(folder, target, stamp):
    folder, target = pathlib.Path(folder), pathlib.Path(target)
    names = sorted((LANGUAGES[file.stem], file.stem) for file in target.glob("*.json"))
    searched = [silence(folder, code, name) for name, code in names]
    recalled = [recall(folder, code, name) for name, code in names]
    drawn = document("Many languages", stamp, MANY, [(SILENCE, searched), (RECALL, recalled)])
    (target / "table.md").write_text(drawn)


RECALL = ["language, half of the facts", "questions", "right first", "empty", "questions of the other half", "empty"]


def recall(folder, language, name):
    sets = load(folder / f"facts-{language}.json")
    answered, other = sets["answered"], sets["other"]
    return [name, answered["questions"], answered["first"], answered["empty"], other["questions"], other["empty"]]


LANGUAGES = {
    "ar": "Arabic", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fr": "French", "he": "Hebrew",
    "hi": "Hindi", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "tr": "Turkish", "vi": "Vietnamese",
}
MANY = """\
`unanswerable.py squad FILE --bin target/release/mindfile` with each file of `languages/`: the notes of every other topic are
there, then those of the topics between them. Found is the share of their questions, in percent, whose note is among the
first ten hits; silent is the share of answers with weak hits alone to the questions of the other topics; right the share
of hits called answers that are of the note, and called their number among the questions of the other topics. The second table by
`unanswerable.py facts FILE --bin target/release/mindfile`: every sentence is a fact, and `recall` is asked; right is a fact of the
note."""


def associative(folder, target, stamp):
    head = ["side", "questions", "precision", "recall", "F1", "empty", "near-miss empty"]
    keys = ["precision", "recall", "f1", "empty", "nearMissEmpty"]
    tables = []
    for seeds, said in ASSOCIATIVE_SEEDS.items():
        sides = load(pathlib.Path(folder) / f"associative-{seeds}.json")["sides"]
        body = [[side["side"], side["all"]["questions"], *(percent(side["all"][key]) for key in keys)] for side in sides]
        tables.append(([f"{said}: side", *head[1:]], body))
        answered = [category for category in sides[0]["categories"] if category["questions"]]
        rows = [[one["category"], one["questions"], *(percent(one[key]) for key in keys[:3])] for one in answered]
        tables.append(([f"{said}: recall, by category", *head[1:5]], rows))
    pathlib.Path(target).write_text(document("Associative recall", stamp, ASSOCIATIVE, tables))


ASSOCIATIVE_SEEDS = {
    "1..5": "seeds 1 to 5, tuned on",
    "101..120": "seeds 101 to 120",
    "201..220": "seeds 201 to 220, other threads",
}
ASSOCIATIVE = """\
`mindfile-evals associative --seeds 101..120` and the like; `associative/README.md` says what is asked. Precision, recall
and F1 of the returned set are means over the questions that have an answer, in percent. `empty` is the share of
rightly empty answers to questions about what the world has not; `near-miss empty` the same for questions about
known people and things that ask for something nobody said."""


def locomo(folder, target, stamp):
    folder = pathlib.Path(folder)
    runs = {
        "hybrid, default settings": "hybrid",
        "hybrid, more than weak": "sure",
        "keyword": "keyword",
        "vector": "vector",
        "plain FTS5 (`--fts`)": "fts",
    }
    figures = {label: load(folder / f"locomo-{name}.json") for label, name in runs.items()}
    head = ["search", "questions", "session@10", "chunk@10", "seen@6"]
    body = [[label, *cells(found["all"])] for label, found in figures.items()]
    body.append(["goal of hybrid", "", "94", "92", "72"])
    parts = load(folder / "locomo-hybrid.json")
    categories = {"1": "several places", "2": "time", "3": "inference", "4": "one place"}
    kinds = [[f"{key} ({label})", *cells(parts[key])] for key, label in categories.items()]
    silent = load(folder / "unanswerable.json")
    asked = {
        "next": "of the next conversation",
        "unnamed": "the same without the names",
        "renamed": "the same with the names of its own people",
        "adversarial": "category 5: true words, wrong person",
    }
    empty = [[label, *(silent[key][figure] for figure in ("questions", "silent", "called"))] for key, label in asked.items()]
    tables = [
        (head, body),
        (["category, hybrid", *head[1:]], kinds),
        (["questions without an answer", "questions", "silent", "called answers"], empty),
    ]
    pathlib.Path(target).write_text(document("LoCoMo, five conversations", stamp, LOCOMO, tables))


LOCOMO = """\
`locomo.py DATA --bin target/release/mindfile`, with `--extra "--mode keyword"` and the like; the last table by
`unanswerable.py locomo DATA --bin target/release/mindfile`. In percent; silent is the
share of answers with weak hits alone, called answers the number of hits that say so. The people of other conversations talk about work, pets and journeys as well: not every
question without names, or with other names, is one that the notes have nothing to say about."""


def cells(found):
    return [found["n"], found["session10"], found["chunk10"], found["seen6"]]


def xquad(folder, target, stamp):
    folder = pathlib.Path(folder)
    goals = {"zh": 97, "ru": 93, "th": 93}
    names = {"zh": "Chinese", "ru": "Russian", "th": "Thai"}
    head = ["language", "notes", "questions"]
    head += ["keyword hit@1", "hit@5", "goal", "hybrid hit@1", "hit@5", "plain FTS5 hit@1", "hit@5"]
    body = []
    for language, goal in goals.items():
        keyword, hybrid, fts = (hits(folder, language, kind) for kind in ("keyword", "hybrid", "fts"))
        body.append([names[language], *keyword, goal, *hybrid[2:], *fts[2:]])
    tables = [(head, body), (SILENCE, [silence(folder, language, name) for language, name in names.items()])]
    pathlib.Path(target).write_text(document("XQuAD", stamp, XQUAD, tables))


SILENCE = ["language, half of the notes", "questions", "found", "found, more than weak", "called answers", "right"]
SILENCE += ["questions of the other half", "silent", "called answers"]


def silence(folder, language, name):
    sets = load(folder / f"unanswerable-{language}.json")
    answered, other = sets["answered"], sets["other"]
    found = [answered[figure] for figure in ("questions", "asked", "unasked", "called", "right")]
    return [name, *found, *(other[figure] for figure in ("questions", "silent", "called"))]


XQUAD = """\
`xquad.py FILE --bin target/release/mindfile` (keyword), with `--extra "--mode hybrid"`, and with `--fts`. Every
paragraph is a note, every fifth question is asked; hit@k is the share of questions, in percent, whose paragraph is
among the first k notes. The second table by `unanswerable.py squad FILE --bin target/release/mindfile`: the paragraphs of
every other article are notes, then those of the articles between them; found is the share of their questions, in
percent, whose paragraph is among the first ten hits."""


def hits(folder, language, kind):
    printed = (pathlib.Path(folder) / f"xquad-{language}-{kind}.txt").read_text()
    return re.search(r"(\d+) notes, (\d+) questions, hit@1 ([\d.]+), hit@5 ([\d.]+)", printed).groups()


def readme(folder):
    """Puts the tables into README.md, one level of heading lower."""
    folder = pathlib.Path(folder)
    own = [f"{name}/table.md" for name in ("truth", "workspaces", "languages", "associative")]
    files = [folder / name for name in [*own, "locomo.md", "xquad.md"]]
    tables = "\n".join("#" + file.read_text() for file in files if file.exists())
    text = (folder / "README.md").read_text()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    (folder / "README.md").write_text(f"{before}{BEGIN}\n\n{tables}\n{END}{after}")


def document(title, stamp, words, tables):
    drawn = "\n".join(table(head, body) for head, body in tables)
    return f"# {title}\n\n{words}\nMeasured {stamp}.\n\n{drawn}"


def table(head, body):
    sides = ["---" if at == 0 else "---:" for at in range(len(head))]
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in [head, sides, *body])


def percent(share):
    return f"{100 * share:.1f}"


def load(path):
    return json.loads(path.read_text())


if __name__ == "__main__":
    main()
