// What was looked at, and whether it is so.
let failures = 0;
let passed = 0;

export function part(name) {
  console.log(`\n${name}`);
}

export function check(words, is, more = "") {
  if (is) passed += 1;
  else failures += 1;
  console.log(`${is ? "  ok  " : "  NOT "} ${words}${!is && more ? `\n        ${more}` : ""}`);
}

export function say(words) {
  console.log(`       ${words}`);
}

export function none(words, list) {
  check(words, list.length === 0, [...new Set(list)].slice(0, 12).join("\n        "));
}

export function done() {
  console.log(`\n${passed} checks passed, ${failures} failed`);
  return failures;
}
