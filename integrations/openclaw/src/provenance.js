// Whose word a memory file is. OpenClaw puts MEMORY.md and USER.md into a conversation only if the memory plugin vouches
// for them, and notes down itself which of them a session with untrusted content has written to. Those notes are read
// here, in OpenClaw's own database and for reading only; where they cannot be read, nothing is vouched for.

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";

const OWNER = "core:memory-artifact-provenance";
const NAMESPACE = "workspace-files";
const ROOT_FILES = new Set(["MEMORY.md", "memory.md", "USER.md"]);
const PERSONAL = /^users\/[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}\/USER\.md$/;

// `readSources`: files that were read elsewhere, with the path they were found under; one without a path is not trusted.
export async function classify({ workspaceDir, relativePaths, readSources, stateDir, warn }) {
  const records = await recorded(stateDir, workspaceDir, warn);
  return await Promise.all(
    relativePaths.map(async (relativePath) => {
      const real = readSources
        ? plain(readSources.find((source) => source.relativePath === relativePath)?.canonicalRelativePath)
        : await inside(workspaceDir, relativePath);
      return { relativePath, originClass: originOf(real, records) };
    }),
  );
}

function originOf(relativePath, records) {
  if (!relativePath) return "untrusted";
  const [top, second] = relativePath.split("/");
  if (/^dreams\.md$/i.test(relativePath) || (top === "memory" && ["dreaming", ".dreams"].includes(second))) return "system";
  const isMemory =
    ROOT_FILES.has(relativePath) || PERSONAL.test(relativePath) || (top === "memory" && relativePath.endsWith(".md"));
  return isMemory ? records(relativePath) : "untrusted";
}

// The path as it is on the disk; none for what is not there or lies outside.
async function inside(workspaceDir, relativePath) {
  try {
    const root = await fs.realpath(workspaceDir);
    const file = await fs.realpath(path.resolve(workspaceDir, relativePath));
    const relative = path.relative(root, file).replaceAll(path.sep, "/");
    return plain(relative);
  } catch {
    return undefined;
  }
}

function plain(relative) {
  const isOutside = !relative || relative === ".." || relative.startsWith("../") || path.isAbsolute(relative);
  return isOutside || relative.includes("\\") || path.posix.normalize(relative) !== relative ? undefined : relative;
}

// What OpenClaw noted down about the files of a workspace: a function from a path to its origin.
async function recorded(stateDir, workspaceDir, warn) {
  const file = stateDir && path.join(stateDir, "state", "openclaw.sqlite");
  try {
    if (!file || !(await exists(file))) return () => "agent";
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(file, { readOnly: true, timeout: 2000 });
    try {
      return read(db, sha256(realpathSync.native(path.resolve(workspaceDir)).replaceAll("\\", "/")));
    } finally {
      db.close();
    }
  } catch (error) {
    warn?.(`which memory files are trusted cannot be read (${error.message}): they are left out of the prompt`);
    return () => "untrusted";
  }
}

function read(db, workspaceKey) {
  const known = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'plugin_state_entries'").get();
  const origins = new Map();
  if (known) {
    const sql = "SELECT value_json AS value FROM plugin_state_entries WHERE plugin_id = ? AND namespace = ? AND entry_key LIKE ?";
    for (const { value } of db.prepare(sql).all(OWNER, NAMESPACE, `${workspaceKey}:%`)) {
      const { relativePath, originClass } = JSON.parse(value);
      origins.set(relativePath, originClass === "agent" ? "agent" : "untrusted");
    }
  }
  return (relativePath) => origins.get(relativePath) ?? "agent";
}

async function exists(file) {
  return await fs.access(file).then(() => true, () => false);
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}
