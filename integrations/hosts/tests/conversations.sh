# What hosts make of a memory while they talk to a model: the real programs, with all their hooks, against models on the
# loopback (fake-models.mjs). Sourced by ../test.

readonly WISH="Remember: I prefer tabs over spaces"

# Starts the models; every request is in $asked, a line each.
start_models() {
  asked="$work/asked"
  : >"$asked"
  node "$here/tests/fake-models.mjs" "$asked" >"$work/port" &
  model=$!
  for _ in $(seq 100); do [[ -s $work/port ]] && break; sleep 0.1; done
  models="http://127.0.0.1:$(cat "$work/port")"
}

# A memory that nobody wrote anything into yet.
fresh_memory() {
  rm -rf "$HOME/notes" "$MINDFILE_STATE_DIR"
  "$MINDFILE_BIN" init "$HOME/notes" >/dev/null 2>&1
  "$MINDFILE_BIN" config set workspace "$HOME/notes" >/dev/null 2>&1
}

# A turn of a host, whose last word is the message. What it printed is left in $out, its requests to the model in $turn.
turn() {
  local before
  before="$(wc -l <"$asked")"
  printf '> %s: %s\n' "$(basename "$1")" "${*: -1}" | plain
  out="$(cd "$HOME/project" && timeout 120 "$@" 2>&1)" || { printf '%s\n' "$out" | shown; fail "$*"; }
  turn="$(tail -n "+$((before + 1))" "$asked")"
}

# What `mindfile` answers, as JSON in $out.
answer() {
  printf '$ mindfile %s\n' "$*"
  out="$("$MINDFILE_BIN" "$@" --json)" || fail "mindfile $*"
}

# $1: what holds; $2: an expression over `x`, the text of all that a model was sent in the last turn.
check_sent() {
  local out="requests: $turn"
  check "$1" "$2"
}

today() { date -u +%F; }

# Every hook that the host has was called, and none failed.
check_hooks() {
  local missing=0 event
  for event in "$@"; do grep -q "\"event\":\"$event\"" "$MINDFILE_STATE_DIR/memory/hooks.log" || missing="$event"; done
  [[ $missing == 0 ]] || fail "$missing was not called"
  ! grep '"error"' "$MINDFILE_STATE_DIR/memory/hooks.log" || fail "a hook failed"
  printf 'ok: its hooks were called, and none failed: %s\n' "$*"
}

# What a conversation asked to remember is a fact, and all that the next one begins with.
check_wish() {
  answer recall "tabs or spaces"
  check "what the person asked to be remembered is a fact" \
    'x.results.length === 1 && x.results[0].text === "I prefer tabs over spaces" && x.results[0].kind === "O" &&
     x.results[0].entities[0] === "user" && x.results[0].origin === "agent" && x.results[0].source.startsWith("chat:'"$1"'-")'
  ! grep -rq candidate "$HOME/notes/memory" || fail "and a candidate, too"
}

# The conversation $1 was given the fact and nothing else, and that is known.
check_next() {
  local day
  day="memory/$(today).md"
  check_sent "the next conversation begins with the fact, in its words" \
    'x.includes("## '"$day"'\\n- @user: I prefer tabs over spaces")'
  check_sent "and is given it once more where it is asked for it" \
    'x.includes("memory_search finds more.\\n- @user: I prefer tabs over spaces ['"$day"'#L5]")'
  answer given --session "$1"
  check "and it is known what it was given, and what that cost" \
    'x.given.map((one) => one.by).join() === "session-start,prompt-submit" && x.tokens > 0 &&
     x.given.every((one) => one.places[0].citation === "'"$day"'#L5" && one.places[0].fact)'
}

# A turn of Codex, which runs hooks that nobody reviewed only if it is told to.
codex_turn() {
  turn "$codex" exec --dangerously-bypass-hook-trust --dangerously-bypass-approvals-and-sandbox --skip-git-repo-check \
    -c model_provider=local -c model=gpt-5 \
    -c 'model_providers.local={name="local",base_url="'"$models"'/v1",wire_api="responses"}' "$@"
}
