#!/usr/bin/env python3
"""Makes o200k-base.bin, the byte sequences of OpenAI's encoding o200k_base, from the file that tiktoken-rs carries.

    python make_tokens.py ~/.cargo/registry/src/*/tiktoken-rs-0.12.1/assets/o200k_base.tiktoken o200k-base.bin

The same input makes the same bytes. Everything is little-endian; src/count/table.rs reads it in place:

    lengths       u32 for each length from 1 to LONGEST: how many sequences have it
    sequences     all of them, the shortest first, those of one length in their order
    ranks         24 bits for each, in the same order
"""

import base64
import hashlib
import struct
import sys

SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
LONGEST = 128


def main(source, target):
    text = open(source, "rb").read()
    if hashlib.sha256(text).hexdigest() != SHA256:
        sys.exit(f"{source} is another file: {hashlib.sha256(text).hexdigest()}")
    pairs = [line.split() for line in text.splitlines()]
    tokens = sorted((len(raw := base64.b64decode(word)), raw, int(rank)) for word, rank in pairs)
    lengths = [sum(1 for token in tokens if token[0] == length) for length in range(1, LONGEST + 1)]
    assert sum(lengths) == len(tokens) and all(rank < 1 << 24 for _, _, rank in tokens)
    with open(target, "wb") as out:
        out.write(struct.pack(f"<{LONGEST}I", *lengths))
        out.write(b"".join(raw for _, raw, _ in tokens))
        out.write(b"".join(struct.pack("<I", rank)[:3] for _, _, rank in tokens))


main(*sys.argv[1:])
