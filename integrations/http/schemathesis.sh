#!/usr/bin/env bash
# The HTTP interface against its own description, by schemathesis (PyPI). Usage: schemathesis.sh PROGRAM [EXAMPLES]
set -euo pipefail
program=$(realpath "$1")
home=$(mktemp -d)
export HOME="$home" MINDFILE_STATE_DIR="$home/state"
mkdir -p "$home/state/workspace/memory"
cat >"$home/state/workspace/memory/api.md" <<'NOTE'
# API

The rate limit is 100 requests per minute.

- W(s=0.9) @Sarah @api: Sarah owns the rate limiter ^k3f9a2
NOTE
python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet schemathesis
printf '{ memory: { server: { requestsPerSecond: 100000 } } }' >"$home/state/mindfile.json"
"$program" serve --port 0 --json >"$home/listens" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$home"' EXIT
until [[ -s "$home/listens" ]]; do sleep 0.05; done
url=$(sed 's/.*"url":"//; s/".*//' "$home/listens")
token=$(cat "$home/state/server.token")
cd "$home"
"$home/venv/bin/schemathesis" run "${url}openapi.json" \
  --header "Authorization: Bearer $token" --max-examples "${2:-50}" --seed 7 --workers 1 \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method,ignored_auth,positive_data_acceptance,negative_data_rejection |
  sed "s#$home#~#g"
kill -0 "$server" && echo "the server still runs"
