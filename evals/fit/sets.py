#!/usr/bin/env python3
"""Makes workspaces with questions of public data and of our own, as `mindfile-evals cases` reads them.

usage: sets.py QUESTIONS OUT [--seed N]

QUESTIONS is a folder with the public files (README.md beside this script says where they are from). Every set is one file
in OUT: `fit-*.json` to fit coefficients on, `judge-*.json` to judge them on. No note and no question is in both. Half of
the workspaces and of the languages of this project fit, the others judge. Every third workspace is asked the questions
of another one, which it does not answer, also with names that it knows; and dialogues their own, of someone else who speaks.
"""

import argparse
import json
import pathlib
import random
import re

HERE = pathlib.Path(__file__).resolve().parent.parent
NOTES, LINES, QUESTIONS = 40, 12, 60
FIT_WORKSPACES = {"clinic", "developer", "household", "marine"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    chance = random.Random(arguments.seed)
    for name, make in PUBLIC.items():
        haystacks = list(make(arguments.questions, chance))
        half = (len(haystacks) + 1) // 2
        write(arguments.out / f"fit-{name}.json", with_strangers(haystacks[:half], chance))
        write(arguments.out / f"judge-{name}.json", with_strangers(haystacks[half:], chance))
    for half, sets in (("fit", own(True)), ("judge", own(False))):
        for name, haystacks in sets.items():
            write(arguments.out / f"{half}-{name}.json", haystacks)


def write(path, haystacks):
    path.write_text(json.dumps({"name": path.stem, "haystacks": haystacks}, ensure_ascii=False))


def plain(text):
    """Without the spaces and brackets of a tokeniser."""
    for sign, word in {"``": '"', "''": '"', "-lrb-": "(", "-rrb-": ")", "-LRB-": "(", "-RRB-": ")"}.items():
        text = text.replace(sign, word)
    text = re.sub(r" ([,.;:?!)%]|'s\b|n't\b|'re\b|'m\b|'ve\b|'ll\b|'d\b)", r"\1", text)
    return re.sub(r"([($]) ", r"\1", text).strip()


def question(text, gold, category="answered"):
    return {"text": text, "category": category, "gold": [{"path": path, "line": line} for path, line in gold]}


def sentences(pairs, chance, notes_each=NOTES, count=8):
    """Sentences with their questions, in order: notes of twelve sentences, as prose, lists and dialogues in turn."""
    pairs = [(sentence, asked) for sentence, asked in pairs if 30 < len(sentence) < 500]
    size = notes_each * LINES
    for start in range(0, min(len(pairs) - size, size * count), size):
        notes, questions = [], []
        for number in range(notes_each):
            form = number % 3
            path, lines = f"memory/{number:02}.md", [f"# {number}", ""]
            for sentence, asked in pairs[start + number * LINES : start + (number + 1) * LINES]:
                lines.append((sentence, f"- {sentence}", f"{chance.choice(('Anna', 'Tom'))}: {sentence}")[form])
                questions += [question(one, [(path, len(lines))]) for one in asked]
            notes.append([path, "\n".join(lines) + "\n"])
        yield {"notes": notes, "questions": chance.sample(questions, min(QUESTIONS, len(questions)))}


def squad(folder, chance):
    read = lambda name: (folder / name).read_text().splitlines()
    asked = {}
    for sentence, one in zip(read("nqg-src-test.txt"), read("nqg-tgt-test.txt")):
        asked.setdefault(plain(sentence), []).append(plain(one))
    return sentences(list(asked.items()), chance)


def qamr(folder, chance):
    wiki = dict(line.split("\t") for line in (folder / "qamr-wiki.tsv").read_text().splitlines())
    asked = {}
    for name in ("qamr-dev.tsv", "qamr-test.tsv"):
        for line in (folder / name).read_text().splitlines():
            fields = line.split("\t")
            if fields[0] in wiki:
                asked.setdefault(plain(wiki[fields[0]]), []).append(plain(fields[5]))
    return sentences(list(asked.items()), chance, notes_each=12)


def friends(folder, chance):
    scenes = []
    for name in ("friends-dev.json", "friends-tst.json"):
        for scene in json.loads((folder / name).read_text())["data"]:
            lines, where, asked = [f"# {scene['title']}", ""], {}, []
            for turn in scene["paragraphs"][0]["utterances:"]:
                who = " and ".join(one.split()[0] for one in turn["speakers"]) or "Someone"
                lines.append(f"{who}: {plain(turn['utterance'])}")
                where[turn["uid"]] = len(lines)
            for one in scene["paragraphs"][0]["qas"]:
                gold = {where[answer["utterance_id"]] for answer in one["answers"] if answer["utterance_id"] in where}
                if gold:
                    asked.append((plain(one["question"]), gold))
            scenes.append((f"memory/{scene['title']}.md", lines, asked))
    for start in range(0, len(scenes), NOTES):
        part = scenes[start : start + NOTES]
        notes = [[path, "\n".join(lines) + "\n"] for path, lines, _ in part]
        questions = [question(text, [(path, line) for line in sorted(gold)]) for path, _, asked in part for text, gold in asked]
        wrong = [question(other, [], "wrong") for _, lines, asked in part for text, _ in asked if (other := misled(text, lines, chance))]
        asked = [chance.sample(some, min(2 * QUESTIONS, len(some))) for some in (questions, wrong)]
        yield {"notes": notes, "questions": [*asked[0], *asked[1]]}


def misled(text, lines, chance):
    """The same of another who speaks in the scene; None where it names nobody of it."""
    speakers = sorted({line.split(":")[0] for line in lines[2:] if " " not in line.split(":")[0]})
    named = [name for name in speakers if re.search(rf"\b{name}\b", text)]
    others = [name for name in speakers if name not in named]
    return re.sub(rf"\b{named[0]}\b", chance.choice(others), text) if named and others else None


def qmsum(folder, chance):
    for path in sorted(folder.glob("qmsum-*.jsonl")):
        meetings = [json.loads(line) for line in path.read_text().splitlines()]
        for start in range(0, len(meetings), 8):
            notes, questions = [], []
            for number, meeting in enumerate(meetings[start : start + 8]):
                name, lines, where = f"memory/m{start + number:03}.md", [f"# Meeting {start + number}", ""], []
                for turn in meeting["meeting_transcripts"]:
                    lines.append(f"{turn['speaker']}: {' '.join(plain(turn['content']).split())}")
                    where.append(len(lines))
                for one in meeting["specific_query_list"]:
                    spans = [range(int(a), min(int(b) + 1, len(where))) for a, b in one["relevant_text_span"]]
                    gold = [(name, where[at]) for span in spans for at in span]
                    if 0 < len(gold) <= 6:
                        questions.append(question(one["query"], gold))
                notes.append([name, "\n".join(lines) + "\n"])
            if questions:
                yield {"notes": notes, "questions": questions[:QUESTIONS]}


def policy(folder, chance):
    for name in ("policy-dev.json", "policy-test.json"):
        for document in json.loads((folder / name).read_text())["data"]:
            lines, questions = [f"# {document['title']}", ""], []
            for paragraph in document["paragraphs"]:
                lines += [" ".join(paragraph["context"].split()), ""]
                gold = [("memory/policy.md", len(lines) - 1)]
                questions += [question(one["question"], gold) for one in paragraph["qas"] if one["answers"]]
            if len(questions) > 10:
                asked = chance.sample(questions, min(20, len(questions)))
                yield {"notes": [["memory/policy.md", "\n".join(lines) + "\n"]], "questions": asked}


def qed(folder, chance):
    pages = []
    for line in (folder / "qed-dev.jsonl").read_text().splitlines():
        one = json.loads(line)
        chosen = (one["annotation"].get("selected_sentence") or {}).get("start")
        starts = one["sentence_starts"]
        if chosen in starts:
            ends = [*starts[1:], len(one["paragraph_text"])]
            lines = [plain(one["paragraph_text"][a:b]) for a, b in zip(starts, ends)]
            pages.append((one["title_text"], lines, one["question_text"], starts.index(chosen)))
    for start in range(0, min(len(pages), 1200), 120):
        notes, questions = [], []
        for number, (title, lines, asked, at) in enumerate(pages[start : start + 120]):
            path = f"memory/q{number:03}.md"
            notes.append([path, f"# {title}\n\n" + "\n".join(lines) + "\n"])
            questions.append(question(asked, [(path, at + 3)]))
        yield {"notes": notes, "questions": chance.sample(questions, min(QUESTIONS, len(questions)))}


PUBLIC = {"squad": squad, "qamr": qamr, "friends": friends, "qmsum": qmsum, "policy": policy, "qed": qed}


def with_strangers(haystacks, chance):
    """Adds questions of the next haystack; and of dialogues, the same about the people of this one."""
    own = [[one for one in haystack["questions"] if one["gold"]] for haystack in haystacks]
    for number, haystack in enumerate(haystacks):
        other = own[(number + 1) % len(own)]
        if len(own) > 1:
            strange = chance.sample(other, min(len(other), QUESTIONS // 2))
            haystack["questions"] += [question(one["text"], [], "strange") for one in strange]
            renamed = [exchanged(one["text"], haystack, chance) for one in strange]
            haystack["questions"] += [question(text, [], "renamed") for text in renamed if text]
    return haystacks


def exchanged(text, haystack, chance):
    """With names that these notes know, in the place of each that is there; None without one."""
    known = sorted({word for _, note in haystack["notes"] for word in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}", note)})
    names = {word for word in re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}", text)}
    if not names or not known:
        return None
    for name in names:
        text = re.sub(rf"\b{name}\b", chance.choice(known), text)
    return text


def own(to_fit):
    sets = {"workspaces": []}
    for folder in sorted(path.parent for path in (HERE / "workspaces").glob("*/questions.jsonl")):
        if (folder.name in FIT_WORKSPACES) == to_fit:
            sets["workspaces"].append(workspace(folder))
    for number, path in enumerate(sorted((HERE / "languages").glob("*.json"))):
        if (number % 2 == 0) == to_fit:
            sets[f"language-{path.stem}"] = list(halves(json.loads(path.read_text())["data"]))
    return sets


def workspace(folder):
    notes = [[str(path.relative_to(folder / "notes")), path.read_text()] for path in sorted((folder / "notes").rglob("*.md"))]
    questions = []
    for line in (folder / "questions.jsonl").read_text().splitlines():
        one = json.loads(line)
        gold = [(path, int(at)) for path, at in (place.rsplit("#L", 1) for place in one["gold"])]
        questions.append(question(one["question"], gold, one["category"]))
    return {"notes": notes, "questions": questions}


def halves(articles):
    """Every other topic as notes, then those between them. The questions of the others have no answer."""
    for half in (0, 1):
        notes, questions = [], []
        for number, article in enumerate(articles):
            for at, paragraph in enumerate(article["paragraphs"]):
                path, held = f"memory/{number:02}-{at}.md", number % 2 == half
                if held:
                    notes.append([path, paragraph["context"] + "\n"])
                asked = [qa["question"] for qa in paragraph["qas"]]
                questions += [question(one, [(path, None)] if held else [], "answered" if held else "strange") for one in asked]
        yield {"notes": notes, "questions": questions}


if __name__ == "__main__":
    main()
