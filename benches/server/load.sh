#!/usr/bin/env bash
# 200 clients for 60 seconds against a release build on 1,000 notes. Usage: load.sh [CLIENTS] [SECONDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="${CARGO_TARGET_DIR:-target}"
cargo build --release --quiet
cargo bench --quiet -p mindfile-server --bench load --no-run
home=$(mktemp -d)
export MINDFILE_STATE_DIR="$home/state" HOME="$home"
python3 - "$home/state/workspace/memory" <<'PY'
import os, sys, random
random.seed(7)
words = "rate limit rent due deploy failed dog train tickets team leads timeouts decide database server garden bread harbour comet router attic invoice doctor river window".split()
os.makedirs(sys.argv[1])
for n in range(1000):
    with open(f"{sys.argv[1]}/note-{n:04}.md", "w") as note:
        note.write(f"# Note {n}\n\n")
        for _ in range(20):
            note.write(" ".join(random.choice(words) for _ in range(12)) + ".\n\n")
PY
"$target/release/mindfile" index --quiet
"$target/release/mindfile" serve --port 0 --json >"$home/listens" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$home"' EXIT
until [[ -s "$home/listens" ]]; do sleep 0.05; done
address=$(sed 's/.*http:\/\///; s/\/".*//' "$home/listens")
load=$(ls -t "$target"/release/deps/load-* | grep -v '\.d$' | head -n 1)
"$load" "$address" "$home/state/server.token" "$server" "${1:-200}" "${2:-60}"
