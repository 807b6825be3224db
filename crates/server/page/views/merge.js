// What two people did to the same lines: the changes of each, and both together where they do not touch.

// The places at which two lists of lines agree, by the longest common subsequence; what is alike at both ends is not compared.
function matches(a, b) {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [rows, columns] = [a.length - head - tail, b.length - head - tail];
  const found = Array.from({ length: head }, (_, at) => [at, at]);
  if (rows * columns <= 4e6) found.push(...inner(a.slice(head, head + rows), b.slice(head, head + columns)).map(([x, y]) => [x + head, y + head]));
  for (let back = tail; back > 0; back -= 1) found.push([a.length - back, b.length - back]);
  return found;
}

function inner(a, b) {
  const long = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) long[i][j] = a[i] === b[j] ? long[i + 1][j + 1] + 1 : Math.max(long[i + 1][j], long[i][j + 1]);
  }
  const found = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (long[i + 1][j] >= long[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

// Stretches of the base that are something else now: [from, to, lines].
function hunks(base, now) {
  const found = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...matches(base, now), [base.length, now.length]]) {
    if (x > i || y > j) found.push([i, x, now.slice(j, y)]);
    [i, j] = [x + 1, y + 1];
  }
  return found;
}

// The changed lines with two around them.
export function changes(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return hunks(a, b).flatMap(([from, to, lines]) => [
    ...a.slice(Math.max(0, from - 2), from).map((line) => ["same", line]), ...a.slice(from, to).map((line) => ["minus", line]), ...lines.map((line) => ["plus", line]),
    ...a.slice(to, to + 2).map((line) => ["same", line]),
  ]);
}

// Both changes in one text; null where they touch the same place.
export function merged(before, mine, theirs) {
  const base = before.split("\n");
  const all = [...hunks(base, mine.split("\n")).map((one) => [...one, 0]), ...hunks(base, theirs.split("\n")).map((one) => [...one, 1])].sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const text = [];
  let at = 0;
  for (const [index, [from, to, lines]] of all.entries()) {
    const last = all[index - 1];
    if (last && from <= last[1] && !(from === last[1] && to > from && last[1] > last[0])) {
      const isSame = last[0] === from && last[1] === to && last[2].join("\n") === lines.join("\n");
      if (isSame) continue;
      return null;
    }
    text.push(...base.slice(at, from), ...lines);
    at = to;
  }
  return [...text, ...base.slice(at)].join("\n");
}
