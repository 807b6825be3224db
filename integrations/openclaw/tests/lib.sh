# What is needed to drive a real OpenClaw: node and OpenClaw from npm in a folder outside the tree, a home that
# knows nothing, and checks that say what they saw. Sourced, not run.

readonly NODE_VERSION=24.21.0

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# The binary under test; what is built last unless MINDFILE_BIN says otherwise.
need_mindfile() {
  : "${MINDFILE_BIN:?set MINDFILE_BIN to the mindfile program}"
  MINDFILE_BIN="$(realpath "$MINDFILE_BIN")"
  [[ -x $MINDFILE_BIN ]] || fail "$MINDFILE_BIN cannot be run"
  export MINDFILE_BIN
}

# $1: version of OpenClaw. OPENCLAW_TEST_CACHE keeps the installation for the next run.
install_openclaw() {
  work="$(mktemp -d)"
  trap clean_up EXIT
  local cache="${OPENCLAW_TEST_CACHE:-$work/cache}"
  npm_into "$cache/node-$NODE_VERSION" "node@$NODE_VERSION"
  PATH="$cache/node-$NODE_VERSION/node_modules/node/bin:$PATH"
  npm_into "$cache/openclaw-$1" "openclaw@$1"
  openclaw_mjs="$cache/openclaw-$1/node_modules/openclaw/openclaw.mjs"
  export HOME="$work/home" NO_COLOR=1 OPENCLAW_HIDE_BANNER=1 TZ=UTC
  unset OPENCLAW_STATE_DIR OPENCLAW_CONFIG_PATH MINDFILE_STATE_DIR MINDFILE_WORKSPACE MINDFILE_AGENT
  mkdir -p "$HOME/.openclaw/workspace/memory"
  printf 'node %s, %s, %s\n' "$(node --version)" "$(openclaw --version 2>/dev/null | tail -1 | plain)" \
    "$("$MINDFILE_BIN" --version)"
}

clean_up() {
  for started in ${gateway:-} ${model:-}; do kill "$started" 2>/dev/null || true; done
  rm -rf "$work"
}

npm_into() {
  [[ -d $1/node_modules ]] && return
  mkdir -p "$1"
  (cd "$1" && npm init -y && npm install --no-fund --no-audit --cache "$1/.npm" "$2") >"$1/npm.log" 2>&1 ||
    { tail -20 "$1/npm.log"; fail "npm install $2"; }
  rm -rf "$1/.npm"
}

openclaw() { timeout 300 node "$openclaw_mjs" "$@"; }

# Output as it may be kept: no paths of this machine, and no colours.
plain() { sed -e $'s#\e\\[[0-9;]*m##g' -e "s#$work#TMP#g" -e "s#${MINDFILE_BIN}#MINDFILE#g" -e 's#TMP/home#~#g'; }

notes() {
  local at="$HOME/.openclaw/workspace"
  printf '# Memory\n\nThe dog is called Pixel and fears the street sweeper.\n' >"$at/MEMORY.md"
  printf '# API\n\nThe rate limit is 100 requests per minute.\n\nTimeouts are 30 seconds.\n' >"$at/memory/api.md"
  printf '# 2026-03-14\n\nAnna moved the launch to May because the audit is late.\n' >"$at/memory/2026-03-14.md"
}

step() { printf '\n== %s\n' "$*"; }

# Runs a command of OpenClaw; its stdout is left in $out, and shown.
run() {
  ask "$@"
  printf '%s\n' "$out" | plain
}

# The same without showing it.
ask() {
  printf '$ openclaw %s\n' "${*@Q}"
  local code=0
  out="$(openclaw "$@" 2>"$work/stderr")" || code=$?
  if ((code != 0)); then
    printf '%s\n' "$out" | plain
    plain <"$work/stderr" | tail -20
    fail "openclaw $* ended with $code"
  fi
}

# $1: what holds; $2: an expression over `x`, the JSON that the last run printed.
check() {
  node -e '
    const text = require("fs").readFileSync(0, "utf8").slice(0, -1);
    let x;
    try { x = JSON.parse(text); } catch { x = text; }
    process.exit(Function("x", `return (${process.argv[1]})`)(x) ? 0 : 1);
  ' "$2" <<<"$out" || fail "$1: $2"
  printf 'ok: %s\n' "$1"
}
