// What the model is asked for before a conversation is compacted, and when.

const SOFT_TOKENS = 4_000;
const FORCE_BYTES = 2 * 1024 * 1024;
const RESERVE_TOKENS = 20_000;
// The reserve leaves at least three quarters of the window to the conversation.
const LARGEST_RESERVE = 0.25;
const SILENT = "NO_REPLY";

export function flushPlan({ cfg, nowMs, contextWindowTokens } = {}) {
  const asked = cfg?.agents?.defaults?.compaction?.memoryFlush ?? {};
  if (asked.enabled === false) return null;
  const now = new Date(nowMs ?? Date.now());
  const zone = timezone(cfg);
  const file = `memory/${day(now, zone)}.md`;
  return {
    ...thresholds(asked, contextWindowTokens),
    forceFlushTranscriptBytes: bytes(asked.forceFlushTranscriptBytes) ?? FORCE_BYTES,
    ...(asked.model?.trim() ? { model: asked.model.trim() } : {}),
    prompt: prompt(file, now, zone),
    systemPrompt: systemPrompt(file),
    relativePath: file,
  };
}

function thresholds({ softThresholdTokens }, window) {
  const soft = whole(softThresholdTokens) ?? SOFT_TOKENS;
  const tokens = whole(window);
  if (!tokens) return { softThresholdTokens: soft, reserveTokensFloor: RESERVE_TOKENS };
  const reserve = Math.min(RESERVE_TOKENS, Math.floor(tokens * LARGEST_RESERVE));
  return { softThresholdTokens: Math.min(soft, Math.floor((tokens - reserve) / 2)), reserveTokensFloor: reserve };
}

function rules(file) {
  return [
    `Write only to ${file} (create memory/ if needed), and only by APPENDING: never overwrite or reorder what is there, and make no variants of the file's name.`,
    "MEMORY.md, USER.md, SOUL.md, AGENTS.md and everything in bank/ are read-only now.",
  ];
}

function prompt(file, now, zone) {
  return [
    "Pre-compaction memory flush.",
    "Save what should outlive this conversation: decisions and their reasons, what the person said about themselves, promises, dates, and where work stands.",
    ...rules(file),
    "One list item a fact, understandable by itself, with the names it is about: `- W @api: …` for what is so, `- B @Anna: …` for what happened, `- O @user: …` for opinions and preferences.",
    `If there is nothing to store, reply with ${SILENT}.`,
    `Current time: ${clock(now, zone)} (${zone})`,
  ].join("\n");
}

function systemPrompt(file) {
  return [
    "Pre-compaction memory flush turn: the conversation is about to be compacted, and what is not on disk is lost to you.",
    ...rules(file),
    `You may reply, but usually ${SILENT} is right.`,
  ].join(" ");
}

function timezone(cfg) {
  const asked = cfg?.agents?.defaults?.userTimezone?.trim();
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: asked || undefined }).resolvedOptions().timeZone;
  } catch {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
}

// YYYY-MM-DD where the person is.
function day(now, timeZone) {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);
}

function clock(now, timeZone) {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(now);
  return `${day(now, timeZone)} ${time}`;
}

function whole(value) {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;
}

// 2097152, "2mb", "512 kB"
function bytes(value) {
  if (typeof value === "number") return whole(value);
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?i?b?)\s*$/i.exec(value ?? "") ?? [];
  if (number === undefined) return undefined;
  const power = { k: 1, m: 2, g: 3 }[unit[0]?.toLowerCase()] ?? 0;
  return Math.floor(Number(number) * 1024 ** power);
}
