#!/usr/bin/env python3
"""How many of gitleaks' own samples the policy finds, as they stand and in the forms in which people write them.

usage: evals/policy/gitleaks.py JUDGE GITLEAKS [PAGES]

JUDGE is `cargo build --release -p mindfile-trust --example judge`; GITLEAKS a checkout of github.com/gitleaks/gitleaks (MIT), whose
rules are read and whose samples are made here, from a seed; PAGES a folder of ordinary Markdown, in which nothing may be found
that is never stored. Nothing of either is kept.
"""

import collections
import hashlib
import pathlib
import random
import re
import subprocess
import sys

try:
    from re import _parser as sre
except ImportError:
    import sre_parse as sre

SEED = 29
TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|(`[^`]*`)|("(?:\\.|[^"\\])*")|('(?:\\.|[^'\\])+')|(\.\.\.|:=|[A-Za-z_]\w*|\d+|.)""", re.S)

# In which a value of a service {i} stands in notes, commands and tables.
FORMS = {
    "alone": "{s}",
    "key: X": "{i} key: {s}",
    "api token is X": "The {i} api token is {s}",
    "**token**: X": "- **{i} token**: {s}",
    "?access_token=X": "https://{i}.example.com/v1?access_token={s}",
    "token → X": "{i} token → {s}",
    "my api key X": "my {i} api key {s}",
    "use X as the password": "use {s} as the {i} password",
    "X is the password": "{s} is the {i} password",
    "Das Passwort lautet X": "Das Passwort für {i} lautet {s}",
    "curl -u admin:X": "curl -u admin:{s} https://{i}.example.com/",
    "--token X": "{i} login --token {s}",
    "export KEY=X": "export {I}_KEY={s}",
    "SECRET_KEY=X": "{I}_SECRET_KEY={s}",
    "table row": "| service | token |\n|---|---|\n| {i} | {s} |",
    "table row of one": "| {i} token | {s} |",
    "token (X)": "the {i} token ({s})",
    "two lines": "{i} password\n{s}",
    "list below a label": "{i} token:\n\n- {s}",
    "value of an input": '<input type="password" name="{i}" value="{s}">',
    "setProperty": 'System.setProperty("{i}.password", "{s}")',
    "element over lines": "<{i}Secret>\n  {s}\n</{i}Secret>",
    "login / X": "{i} login: admin / {s}",
    "pw: X": "{i} pw: {s}",
    "code block": "the {i} secret:\n\n```\n{s}\n```",
    "JSON pair": '{"name": "{I}_TOKEN", "value": "{s}"}',
    "YAML block": "{i}_secret: |\n  {s}",
    "two tables rows": "| name | password |\n|:--|--:|\n| one | - |\n| {i} | `{s}` |",
    "remember that": "Please remember that my password for {i} is {s}.",
    "comment": "# {s} is the {i} token",
    "colon and dash": "{i} – access key – {s}",
    "docker -e": "docker run -e {I}_PASSWORD={s} {i}:latest",
    "header": "curl -H 'X-Api-Key: {s}' https://{i}.example.com/",
    "french": "Le mot de passe de {i} est {s}",
    "spanish": "la contraseña para {i} es {s}",
    "quoted in a sentence": 'I changed the {i} password to "{s}" today.',
    "env file": "{I}_API_KEY='{s}'\nDEBUG=1",
    "named argument": "client = {i}.Client(api_key=\"{s}\", retries=3)",
}

# Secrets that no rule of gitleaks has a sample of, each in the forms above.
OTHERS = {
    "password": lambda: made("[A-Za-z0-9]{32}"),
    "password with signs": lambda: made("[a-z]{3}[A-Z]{2}[0-9]{3}[!%&+?][A-Za-z0-9]{5}"),
    "hex 64": lambda: made("[0-9a-f]{64}"),
    "uuid": lambda: made("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
}


def is_looked_at(name):
    """Half of the rules and half of the forms show what they miss; detectors are judged by the others."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def made(pattern):
    """A text that the pattern matches."""
    return "".join(parts(sre.parse(pattern)))


def parts(tree):
    printable = [chr(c) for c in range(33, 127)]
    categories = {
        "CATEGORY_DIGIT": "0123456789",
        "CATEGORY_WORD": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
        "CATEGORY_SPACE": " ",
    }
    for op, arg in tree:
        name = str(op)
        if name == "LITERAL":
            yield chr(arg)
        elif name == "IN":
            yield random.choice(sorted(members(arg, printable, categories)))
        elif name == "ANY":
            yield random.choice(printable)
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, inner = arg
            for _ in range(random.randint(least, min(int(most), least + 8, max(least, 400)))):
                yield from parts(inner)
        elif name == "SUBPATTERN":
            yield from parts(arg[-1])
        elif name == "BRANCH":
            yield from parts(random.choice(arg[1]))
        elif name == "NOT_LITERAL":
            yield random.choice([c for c in printable if ord(c) != arg])


def members(items, printable, categories):
    found, negated = set(), False
    for op, arg in items:
        name = str(op)
        if name == "NEGATE":
            negated = True
        elif name == "LITERAL":
            found.add(chr(arg))
        elif name == "RANGE":
            found.update(chr(c) for c in range(arg[0], arg[1] + 1))
        elif name == "CATEGORY":
            found.update(categories.get(str(arg), printable))
    return (set(printable) - found) if negated else found


class Go:
    """As much of the language as the samples need: texts, lists of them, and the calls that make both."""

    def __init__(self, source, known):
        self.tokens = [m for m in TOKEN.finditer(source) if m.group(1) or m.group(2) or m.group(3) or m.group(4)]
        self.at, self.known, self.values = 0, known, []

    def peek(self):
        return self.tokens[self.at].group(0) if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if wanted and token != wanted or not token:
            raise ValueError(f"{token!r} where {wanted!r} was expected")
        self.at += 1
        return token

    def expression(self):
        value = self.term()
        while self.peek() == "+":
            self.take()
            value = value + self.term()
        return value

    def term(self):
        token = self.take()
        if token[0] == "`":
            return token[1:-1]
        if token[0] == '"':
            return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m.group(1), m.group(1)), token[1:-1])
        if token.isdigit():
            return int(token)
        if token == "[":
            self.take("]")
            self.take("string") if self.peek() == "string" else self.take("byte")
            if self.peek() == "(":
                return self.arguments()[0]
            return self.list()
        if token == "map":
            for part in "[", "string", "]", "string":
                self.take(part)
            return self.list()
        if token == "(":
            value = self.expression()
            self.take(")")
            return value
        while self.peek() == ".":
            self.take()
            token += "." + self.take()
        if self.peek() == "(":
            return self.call(token, self.arguments())
        return self.known[token]

    def list(self):
        self.take("{")
        items = []
        while self.peek() != "}":
            item = self.expression()
            if self.peek() == ":":
                self.take()
                item = self.expression()
            items.append(item)
            if self.peek() == ",":
                self.take()
        self.take("}")
        return items

    def arguments(self):
        self.take("(")
        given = []
        while self.peek() != ")":
            given.append(self.expression())
            if self.peek() == "...":
                self.take()
            if self.peek() == ",":
                self.take()
        self.take(")")
        return given

    def call(self, name, given):
        sizes = {"Numeric": "0-9", "Hex": "a-f0-9", "AlphaNumeric": "a-z0-9", "AlphaNumericExtendedShort": "a-z0-9_-",
                 "AlphaNumericExtended": "a-z0-9=_\\-", "AlphaNumericExtendedLong": "a-z0-9\\/=_\\+\\-"}
        of = name.split(".")[-1]
        if of in sizes:
            return f"[{sizes[of]}]{{{given[0]}}}"
        if of == "Hex8_4_4_4_12":
            return "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        if of == "NewSecret":
            return made(given[0])
        if of == "Sprintf":
            return given[0].replace("%s", "{}").replace("%d", "{}").format(*given[1:])
        if of == "EncodeToString":
            import base64
            return base64.b64encode(given[0].encode()).decode()
        if of == "GenerateSampleSecret":
            self.values.append(tuple(given))
            return f'{given[0]}_api_token = "{given[1]}"'
        if of == "GenerateSampleSecrets":
            self.values.append(tuple(given))
            return [(form, filled(text, *given)) for form, text in self.known["forms"].items()]
        if of == "append":
            return given[0] + [one for more in given[1:] for one in (more if isinstance(more, list) else [more])]
        raise ValueError(f"the call of {name}")


def filled(form, i, s):
    return form.replace("{i}", i).replace("{I}", i.upper()).replace("{s}", s)


def bodies(source):
    for match in re.finditer(r"^func (\w+)\(\) \*config\.Rule \{\n(.*?)^\}", source, re.S | re.M):
        yield match.group(2)


def statements(body, known):
    """What a rule's variables hold when it is validated."""
    go = Go(body, dict(known))
    while go.peek():
        at, name = go.at, go.take()
        if name.isidentifier() and go.peek() in (":=", "=") and name != "r":
            go.take()
            try:
                go.known[name] = go.expression()
                continue
            except (ValueError, KeyError, TypeError, IndexError, re.error):
                pass
        go.at = at + 1
    return go


def forms_of(root):
    source = (root / "cmd/generate/config/utils/generate.go").read_text()
    body = re.search(r"samples := map\[string\]string\{(.*?)\n\t\}", source, re.S).group(1)
    lines = "\n".join(line for line in body.splitlines() if not line.strip().startswith("//"))
    pairs = re.findall(r'"((?:\\.|[^"\\])*)":\s*("(?:\\.|[^"\\])*"|`[^`]*`)', lines)
    return {name: Go(text, {}).term() for name, text in pairs}


def rules(root):
    forms = forms_of(root)
    for path in sorted((root / "cmd/generate/config/rules").glob("*.go")):
        source = path.read_text()
        known = {"forms": forms, "nil": []}
        for name, value in re.findall(r"^(?:var )?(\w+)\s*=\s*(\[\]string\{.*?^\})", source, re.S | re.M):
            known[name] = Go(value, known).expression()
        for name, value in re.findall(r'^\s*(?:const |var )?(\w+)\s*=\s*(`[^`]*`|"[^"\n]*")\s*$', source, re.M):
            known.setdefault(name, Go(value, known).expression())
        for body in bodies(source):
            id = re.search(r'RuleID:\s*"([^"]+)"', body)
            if not id or "skipped" in body:
                continue
            go = statements(body, known)
            samples = go.known.get("tps") or []
            yield id.group(1), samples, go.values, go.known.get("fps") or []


def judged(judge, texts):
    """For each text the rules that would keep it from being stored."""
    clean = [text.replace("\0", " ") for text in texts]
    done = subprocess.run([judge], input="\0".join(clean), capture_output=True, text=True, check=True)
    lines = done.stdout.split("\n")
    return [[one for one in line.split() if ":NeverStore:" in one] for line in lines[: len(clean)]]


def rate(hits):
    return f"{sum(hits):5} of {len(hits):5}  {100 * sum(hits) / max(1, len(hits)):5.1f} %"


def main(judge, gitleaks, pages=None, missed=None):
    random.seed(SEED)
    root = pathlib.Path(gitleaks)
    by_rule, by_form, of_people = (collections.defaultdict(list) for _ in range(3))
    people_rule, items, values, no_samples = collections.defaultdict(list), [], [], []
    negatives, unseen = [], []
    for id, samples, given, others in rules(root):
        negatives += [text for text in others if isinstance(text, str)]
        if not samples:
            no_samples.append(id)
        for sample in samples:
            form, text = sample if isinstance(sample, tuple) else ("as it stands", sample)
            items.append((id, form, text))
        values += [(id, *pair) for pair in dict.fromkeys(given)]
    for (id, form, text), found in zip(items, judged(judge, [text for _, _, text in items])):
        by_rule[id].append(bool(found))
        by_form[form].append(bool(found))
        if missed and not found and is_looked_at(id):
            print(f"MISSED {id} | {form} | {text[:200]!r}")
    values += [(name, "acme", make()) for name, make in OTHERS.items() for _ in range(5)]
    written = [(id, form, filled(text, i.lower(), s)) for id, i, s in values for form, text in FORMS.items()]
    # A value by itself is known by its own marks, where it has any: it is told apart.
    for (id, form, text), found in zip(written, judged(judge, [text for _, _, text in written])):
        of_people[form].append(bool(found))
        if form != "alone":
            people_rule[id].append(bool(found))
            if not is_looked_at(id) and not is_looked_at(form):
                unseen.append(bool(found))
            if missed and not found and is_looked_at(id) and is_looked_at(form):
                print(f"MISSED {id} | {form} | {text[:200]!r}")
    halves = lambda rows, names: [hit for name in rows if names(name) for hit in rows[name]]
    print(f"gitleaks' own samples:              {rate(halves(by_rule, bool))}, of {len(by_rule)} rules")
    print(f"  of rules that were not looked at: {rate(halves(by_rule, lambda id: not is_looked_at(id)))}")
    print(f"the same values, {len(FORMS) - 1} forms of people:  {rate(halves(people_rule, bool))}")
    print(f"  rules and forms not looked at:    {rate(unseen)}")
    print(f"samples that are none: {rate([bool(found) for found in judged(judge, negatives)])} found")
    if pages:
        paths = sorted(pathlib.Path(pages).rglob("*.md"))
        found = judged(judge, [path.read_text(errors="replace") for path in paths])
        hits = [(path, one) for path, all in zip(paths, found) for one in all]
        print(f"ordinary pages: {len(hits)} findings in {len(paths)}")
        for path, one in hits[:40]:
            start, end = map(int, one.split(":")[-1].split("-"))
            print(f"  {path.relative_to(pages)}: {one}: {path.read_bytes()[start:end].decode(errors='replace')!r}")
    print("\nby form, gitleaks' samples")
    for form, hits in sorted(by_form.items(), key=lambda row: sum(row[1]) / len(row[1])):
        print(f"  {form:40} {rate(hits)}")
    print("\nby form, of people")
    for form, hits in sorted(of_people.items(), key=lambda row: sum(row[1]) / len(row[1])):
        print(f"  {form:40} {rate(hits)}")
    print("\nby rule: its samples, and its values in the forms of people")
    for id in dict.fromkeys([*by_rule, *people_rule]):
        print(f"  {id:44} {rate(by_rule[id])}   {rate(people_rule[id])}")
    if no_samples:
        print("\nwithout samples that could be read: " + ", ".join(no_samples))


if __name__ == "__main__":
    main(*sys.argv[1:])
