#!/usr/bin/env node
// Starts the program of the platform's own package. Hosts name that program itself: this launcher costs each call a start of node.
"use strict";
const { spawnSync } = require("node:child_process");

const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
const name = `@mindfile/${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
let program;
try {
  program = require.resolve(`${name}/bin/mindfile`);
} catch {
  console.error(`error: there is no mindfile for this platform: the package ${name} is not installed`);
  console.error("hint: install without --omit=optional, or build from source: cargo install mindfile-cli");
  process.exit(1);
}
if (process.argv[2] === "--where") {
  console.log(program);
  process.exit(0);
}
const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  console.error(`error: ${program} cannot be started: ${done.error.message}`);
  process.exit(1);
}
if (done.signal) process.kill(process.pid, done.signal);
process.exit(done.status);
