#!/usr/bin/env bash
# mindfile through the command line of the MCP inspector (npm: @modelcontextprotocol/inspector).
# Usage: inspector.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/state/workspace/memory" "$home/npm"
printf '# API\n\nThe rate limit is 100 requests per minute.\n' >"$home/state/workspace/memory/api.md"
cd "$home/npm"
npm install --silent --no-audit --no-fund @modelcontextprotocol/inspector >/dev/null
inspect() {
  npx mcp-inspector --cli -e "MINDFILE_STATE_DIR=$home/state" -e "HOME=$home" "$program" mcp "$@" 2> >(grep -v "^npm warn" >&2)
}
echo "inspector $(node -p "require('@modelcontextprotocol/inspector/package.json').version")"
tools() {
  echo "== tools/list $*"
  inspect "$@" --method tools/list | node -e '
  const { tools } = JSON.parse(require("fs").readFileSync(0));
  for (const tool of tools) console.log(tool.name, "in:", Object.keys(tool.inputSchema.properties ?? {}).length,
    "out:", Object.keys(tool.outputSchema?.properties ?? {}).length, JSON.stringify(tool.annotations));'
}
tools
tools --tools all --output-schema
called() {
  echo "== $1"
  inspect --method tools/call --tool-name "$1" --tool-arg "$2" | node -e '
    console.log(JSON.parse(require("fs").readFileSync(0)).content[0].text.replace(/(\^|id )\w+/g, "$1…").replace(/\d{4}-\d\d-\d\d/g, "DAY"))'
}
called memory_retain 'text=The lighthouse is painted in May'
called memory_search 'query=requests per minute'
echo "== resources/list"
inspect --method resources/list | node -e '
  for (const one of JSON.parse(require("fs").readFileSync(0)).resources) console.log(one.mimeType, one.uri.replace(/\d{4}-\d\d-\d\d/, "DAY"));'
echo "== prompts/list"
inspect --method prompts/list | node -e '
  for (const one of JSON.parse(require("fs").readFileSync(0)).prompts) console.log(one.name);'
