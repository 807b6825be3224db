// Made by clients/generate.py from the program's own description. Not to be changed by hand.

export interface LookupAnswer {
  /** Facts, then passages. */
  hits: LookupAnswerHit[];
  /** What was not consulted. */
  degraded?: string[];
}

export interface LookupAnswerHit {
  /** `PATH#L5-L9`, where places are told. */
  at?: string | null;
  says: string;
  /** Of a passage, how sure it is: answers, related or weak. Of what is weak only the nearest line is told. */
  sure?: string | null;
}

export interface SearchAnswer {
  results: SearchAnswerResult[];
  /** Where there are no results: how many candidates were too weak. A `minScore` of 0 shows them. */
  weak?: number | null;
  /** How many hits were left out because nobody trusts them. `includeUntrusted` shows them. */
  untrusted?: number | null;
  /** The engine that answered. */
  backend: string;
  provider: string;
  model: string;
  mode: string;
  /** Who answers in place of the provider that was asked for. */
  fallback?: SearchAnswerFallback | null;
  degraded: string[];
  phrasesRelaxed?: boolean;
  stale?: string | null;
  notices?: string[];
  plan?: SearchAnswerPlan;
  terms?: SearchAnswerTerm[];
  /** Where a line stood. A rank is counted from 1; null where the line was not on the list. */
  whyNot?: SearchAnswerWhyNot | null;
}

export interface SearchAnswerResult {
  path: string;
  /** What the note calls itself, and the heading over the line that answers. */
  title?: string | null;
  heading?: string | null;
  startLine: number;
  endLine: number;
  score: number;
  /** How sure it is that the answer is here: answers, related or weak. */
  sure: string;
  /** How likely that is, 0 to 1, where scores are explained. */
  chance?: number | null;
  /** The line that answers best. */
  answer: SearchAnswerResultAnswer;
  snippet: string;
  /** Where the snippet matches: first and one past the last character of each match. */
  marks?: number[][] | null;
  source: string;
  origin: string;
  /** Where what answers best does not hold: what is said of it, such as "superseded 2026-07-14". */
  past?: string | null;
  citation?: string | null;
  parts?: SearchAnswerResultPart[] | null;
  /** Of a conversation: who said what is cited, and when. */
  messages?: SearchAnswerResultMessage[];
}

export interface SearchAnswerResultAnswer {
  line: number;
  text: string;
}

export interface SearchAnswerResultPart {
  stage: string;
  raw: number;
  normal?: number | null;
  weight?: number | null;
  factor?: number | null;
  contribution: number;
}

export interface SearchAnswerResultMessage {
  line: number;
  role: string;
  speaker?: string | null;
  date?: string | null;
}

export interface SearchAnswerFallback {
  from: string;
  to?: string | null;
  reason: string;
  at?: string | null;
}

export interface SearchAnswerPlan {
  text: string;
  words: string[];
  phrases: string[];
  excluded: string[];
  mode: string;
  maxResults: number;
  minScore: number;
  weights: SearchAnswerPlanWeights;
  found: SearchAnswerPlanFound;
  belowMinimum: number;
  /** Null where nothing was found. */
  strength: SearchAnswerPlanStrength | null;
}

export interface SearchAnswerPlanWeights {
  words: number;
  meaning: number;
  interaction: number;
}

export interface SearchAnswerPlanFound {
  words: number;
  meaning: number;
}

export interface SearchAnswerPlanStrength {
  value: number;
  coverage: number;
  understood: number;
  nearnessLead: number;
  cosineLead: number;
  wordsLead: number;
  lettersLead: number | null;
  unheard: number;
  told: number;
  namesUnknown: number | null;
  othersLead: number | null;
}

export interface SearchAnswerTerm {
  term: string;
  chunks: number;
  weight: number;
  /** Other forms of it that count. */
  forms?: string[];
}

export interface SearchAnswerWhyNot {
  path: string;
  line: number;
  standing: SearchAnswerWhyNotStanding | null;
  candidates: number;
  maxResults: number;
  advice: string;
}

export interface SearchAnswerWhyNotStanding {
  startLine: number;
  endLine: number;
  words: number | null;
  meaning: number | null;
  fused: number | null;
  last: number | null;
  score: number | null;
  parts: SearchAnswerResultPart[] | null;
  missing: string[];
}

export interface ReadNoteAnswer {
  path: string;
  from: number;
  /** How many bytes of the first line were left out. */
  byte?: number | null;
  lines: number;
  text: string;
  /** There is more than is given at once. */
  truncated?: boolean;
  /** How the rest is asked for. */
  next?: ReadNoteAnswerNext | null;
  /** Of the whole note, for whoever changes it; none if it is too large to be changed at once. */
  hash?: string | null;
}

export interface ReadNoteAnswerNext {
  from: number;
  byte?: number | null;
  lines?: number | null;
}

export interface PutNoteAnswer {
  path: string;
  /** Of what it says now. */
  hash: string;
  /** There was no such note. */
  created: boolean;
}

export interface RenameNoteAnswer {
  path: string;
  from: string;
  hash: string;
  /** The notes whose links followed. */
  relinked: string[];
  /** Why links of other notes did not. */
  notices?: string[];
}

export interface DeleteNoteAnswer {
  path: string;
  deleted: boolean;
}

export interface RecallAnswer {
  results: RecallAnswerResult[];
  /** Where nothing answers, the facts that come nearest. */
  nearest?: RecallAnswerResult[];
  /** Which entities passed activation on to which, and what was active at the end. */
  traversal?: RecallAnswerTraversal | null;
  tokens: number;
  /** Relevant facts that the budget had no room for. */
  leftOut: number;
  degraded: string[];
  stale?: string | null;
  notices?: string[];
}

export interface RecallAnswerResult {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  score: number;
  hop: number;
  via: string[];
  /** The ids of those of the facts that do not agree with it. */
  disagrees?: string[];
  /** Of what does not hold: superseded, expired, proposed or later. */
  state?: string | null;
  parts?: SearchAnswerResultPart[] | null;
}

export interface RecallAnswerTraversal {
  steps: RecallAnswerTraversalStep[];
  activation: RecallAnswerTraversalActivationItem[];
}

export interface RecallAnswerTraversalStep {
  from: string;
  to: string[];
}

export interface RecallAnswerTraversalActivationItem {
  entity: string;
  activation: number;
}

export interface RetainAnswer {
  ok: boolean;
  outcome: string;
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  before?: RetainAnswerBefore | null;
  /** Facts that it takes the place of; they stay in their notes as what was. */
  past?: RetainAnswerPastItem[];
  /** Facts that do not agree with it, for somebody to settle. */
  disagrees?: RetainAnswerPastItem[];
}

export interface RetainAnswerBefore {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
}

export interface RetainAnswerPastItem {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
}

export interface ListFactsAnswer {
  facts: ListFactsAnswerFact[];
  /** How many there are in all. */
  total: number;
  offset: number;
}

export interface ListFactsAnswerFact {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  state: string;
  accessCount: number;
}

export interface ReflectAnswer {
  ok: boolean;
  dryRun: boolean;
  processed: number;
  total: number;
  folded: number;
  contradicted: number;
  leftOut: number;
  tokens: number;
  wasTokens: number;
  added: string[];
  removed: string[];
  kept: number;
  files: string[];
  facts: ReflectAnswerFact[];
}

export interface ReflectAnswerFact {
  id: string;
  priority: number;
}

export interface UndoReflectionAnswer {
  ok: boolean;
  files: string[];
}

export interface ForgetAnswer {
  ok: boolean;
  dryRun: boolean;
  facts: number;
  lines: ForgetAnswerLine[];
  notes: string[];
  messages: ForgetAnswerMessage[];
  files: string[];
  /** Why something of it is still in a file; empty when nothing is. */
  pending: string[];
  notices: string[];
}

export interface ForgetAnswerLine {
  path: string;
  line: number;
  text: string;
  why: string;
}

export interface ForgetAnswerMessage {
  session: string;
  line: number;
  text: string;
  why: string;
}

export interface ContextAnswer {
  sessionId: string;
  chatType: string;
  tokens: number;
  system: ContextAnswerSystemItem[];
  summary?: ContextAnswerSummary | null;
  turns: ContextAnswerTurn[];
  withheld: string[];
  pruned: ContextAnswerPruned;
  notices?: string[];
}

export interface ContextAnswerSystemItem {
  name: string;
  tokens: number;
  leftOut: number;
  text: string;
}

export interface ContextAnswerSummary {
  line: number;
  tokens: number;
  text: string;
}

export interface ContextAnswerTurn {
  line: number;
  role: string;
  tokens: number;
  text: string;
}

export interface ContextAnswerPruned {
  mode?: string;
  trimmed: number;
  cleared: number;
  tokensBefore: number;
  tokensAfter: number;
}

export interface ListSessionsAnswerItem {
  sessionId: string;
  key: string | null;
  updatedAt: string | null;
  chatType: string;
  compactionCount: number;
  memoryFlushAt: string | null;
  memoryFlushCompactionCount: number | null;
  inputTokens: number;
  outputTokens: number;
  contextTokens: number | null;
  totalTokens: number | null;
  /** A file of its own, or OpenClaw's database. */
  kept: string;
  bytes: number | null;
}

export interface ReadSessionAnswer {
  sessionId: string;
  entries: ReadSessionAnswerEntry[];
  /** How many stand before the first of these. */
  earlier?: number;
  damagedLines: number[];
}

export interface ReadSessionAnswerEntry {
  line: number;
  id?: string | null;
  type: string;
  role?: string | null;
  speaker?: string | null;
  timestamp?: string | null;
  text: string;
}

export interface AppendMessagesMessage {
  /** Who said it. */
  role: "user" | "assistant" | "tool" | "system";
  /** What was said. */
  text: string;
  /** Who it was, where several speak. */
  speaker?: string;
  /** Of a tool's result: the tool. */
  tool?: string;
  /** Of a tool's result: the call that it answers. */
  callId?: string;
  /** Nobody sees it: it is not searched, and nothing of it is a candidate. */
  hidden?: boolean;
}

export interface AppendMessagesAnswer {
  ok: boolean;
  sessionId: string;
  entries: AppendMessagesAnswerEntry[];
  candidates: AppendMessagesAnswerCandidate[];
  /** What was asked to be remembered. */
  facts: RetainAnswerPastItem[];
  notices?: string[];
}

export interface AppendMessagesAnswerEntry {
  id: string;
  line: number;
  citation: string;
}

export interface AppendMessagesAnswerCandidate {
  rule: string;
  role: string;
  text: string;
  citation: string;
}

export interface FlushCheckAnswer {
  flush: boolean;
  reason: string;
  threshold: number;
  tokens: number;
  compact: boolean;
}

export interface FlushAnswer {
  ok: boolean;
  note: string | null;
  candidates: number;
  /** What a model added to notes. */
  added: FlushAnswerAddedItem[];
  notices: string[];
}

export interface FlushAnswerAddedItem {
  note: string;
  lines: number;
}

export interface CompactAnswer {
  ok: boolean;
  id: string | null;
  by: string;
  messages: number;
  firstKeptEntryId: string | null;
  tokensBefore: number;
  tokensAfter: number;
  summary: string;
  notices: string[];
}

export interface InspectFactAnswer {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  state: string;
  raw: string;
  accessCount: number;
  lastAccessedAt?: string | null;
  /** Which door it came through, and when. */
  door?: string | null;
  cameAt?: string | null;
  /** Lines of automatic context that are the fact, or rest on it. */
  injected: string[];
  history?: InspectFactAnswerHistoryItem[];
  copies?: RetainAnswerPastItem[];
}

export interface InspectFactAnswerHistoryItem {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  state: string;
}

export interface EditFactAnswer {
  ok: boolean;
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  before: string;
  notices: string[];
}

export interface DiffFactsAnswer {
  from: string;
  to: string;
  /** The first day first, as in each of these lists. */
  came: DiffFactsAnswerCameItem[];
  changed: DiffFactsAnswerChangedItem[];
  ended: DiffFactsAnswerCameItem[];
  /** Facts that were taken out of the notes; what they said is not kept. */
  removed: DiffFactsAnswerRemovedItem[];
  /** How many there are, listed or not. */
  total: DiffFactsAnswerTotal;
}

export interface DiffFactsAnswerCameItem {
  day: string;
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  state: string;
}

export interface DiffFactsAnswerChangedItem {
  day: string;
  /** What it said; not known of a fact that was edited in its place. */
  before?: RetainAnswerBefore | null;
  after: RetainAnswerPastItem;
}

export interface DiffFactsAnswerRemovedItem {
  day: string;
  id?: string | null;
  act: string;
  door: string;
}

export interface DiffFactsAnswerTotal {
  came: number;
  changed: number;
  ended: number;
  removed: number;
}

export interface BlameNoteAnswer {
  path: string;
  /** The first line first. */
  facts: BlameNoteAnswerFact[];
}

export interface BlameNoteAnswerFact {
  id: string;
  kind: string;
  text: string;
  salience: number;
  confidence?: number | null;
  entities: string[];
  path: string;
  line: number;
  origin: string;
  key?: string | null;
  version?: number | null;
  sensitivity?: string | null;
  source?: string | null;
  seen?: string | null;
  confirmed?: string | null;
  validUntil?: string | null;
  due?: string | null;
  until?: string | null;
  by?: string | null;
  state: string;
  accessCount: number;
  lastAccessedAt?: string | null;
  /** Which door it came through, and when. Neither is known of a line that a hand wrote. */
  door?: string | null;
  cameAt?: string | null;
  /** The session in which it was said, and the turn where that is known. */
  conversation?: string | null;
  /** The day on which it was last said to be so. */
  lastConfirmed?: string | null;
}

export interface ListDisagreementsAnswer {
  /** The newest first. */
  disagreements: ListDisagreementsAnswerDisagreement[];
  /** How many there are, listed or not. */
  total: number;
}

export interface ListDisagreementsAnswerDisagreement {
  /** The one that was said last, as far as that is known. */
  newer: RetainAnswerPastItem;
  older: RetainAnswerPastItem;
  /** Only one of them can hold: the next pass of upkeep marks the older one, unless it cannot tell which that is. */
  certain: boolean;
}

export interface SettleFactsAnswer {
  ok: boolean;
  both: boolean;
  holds: RetainAnswerPastItem;
  /** Past, with the day and the fact that took its place, unless both hold. */
  other: RetainAnswerPastItem;
  notices: string[];
}

export interface ListEntitiesAnswerItem {
  name: string;
  spelled: string;
  factCount: number;
  idfWeight: number;
  hub: boolean;
}

export interface ReadEntityAnswer {
  name: string;
  spelled: string;
  factCount: number;
  idfWeight: number;
  hub: boolean;
  aliases: string[];
  page?: string | null;
  facts: RetainAnswerPastItem[];
  neighbours: ReadEntityAnswerNeighbour[];
}

export interface ReadEntityAnswerNeighbour {
  name: string;
  spelled: string;
  cooccurCount: number;
  cooccurWeight: number;
}

export interface ReadGraphAnswer {
  /** The most frequent first. */
  entities: ReadGraphAnswerEntity[];
  /** Two places in `entities`; the heaviest first. */
  pairs: ReadGraphAnswerPair[];
  /** How many entities there are in all. */
  total: number;
  /** The first and the last day on which a fact was seen. */
  from?: string | null;
  to?: string | null;
}

export interface ReadGraphAnswerEntity {
  name: string;
  spelled: string;
  factCount: number;
  hub: boolean;
  /** The place of the strongest entity of its cluster. */
  cluster: number;
}

export interface ReadGraphAnswerPair {
  a: number;
  b: number;
  /** Facts that name both. */
  together: number;
  weight: number;
}

export interface ListNotesAnswer {
  notes: ListNotesAnswerNote[];
  /** How many there are in all. */
  total: number;
  offset: number;
}

export interface ListNotesAnswerNote {
  path: string;
  /** What the note calls itself. */
  title?: string | null;
  bytes: number;
  modified: string | null;
  /** Of a daily note. */
  day?: string | null;
}

export interface OutlineNotesAnswer {
  /** By path; "." is the workspace itself. Daily notes are not counted here. */
  folders: OutlineNotesAnswerFolder[];
  /** Of daily notes, the first month first. */
  months: OutlineNotesAnswerFolder[];
  /** How many notes there are in all. */
  total: number;
}

export interface OutlineNotesAnswerFolder {
  /** A folder, or a month such as 2026-07. */
  name: string;
  notes: number;
  bytes: number;
}

export interface ReadBlocksAnswer {
  path: string;
  /** What the note calls itself. */
  title?: string | null;
  /** Of a daily note. */
  day?: string | null;
  modified: string | null;
  /** How many lines the note has. */
  lines: number;
  /** The front matter, where the page begins with it. */
  fields?: ReadBlocksAnswerField[];
  blocks: ReadBlocksAnswerBlock[];
  /** The line from which to go on, if there is more. */
  next?: number | null;
  /** There is more in the file than is read at once. */
  truncated?: boolean;
}

export interface ReadBlocksAnswerField {
  line: number;
  name: string;
  value: string;
}

export interface ReadBlocksAnswerBlock {
  /** Its first and its last line. */
  line: number;
  last: number;
  /** heading, paragraph, item, cited, fact, code, table, markup or rule. */
  sort: string;
  /** In how many items of lists it stands; an item counts itself. */
  depth?: number;
  /** In how many quotations it stands. */
  quotes?: number;
  /** Nobody answers for it: it is information, not an instruction. */
  untrusted?: boolean;
  /** Of a heading. */
  level?: number | null;
  /** Of an item of a numbered list. */
  number?: number | null;
  /** Of a task. */
  done?: boolean | null;
  said?: ReadBlocksAnswerBlockSaidItem[];
  /** Of code and markup. */
  text?: string | null;
  language?: string | null;
  /** Of a table; the first row is its head. */
  rows?: ReadBlocksAnswerBlockSaidItem[][][];
  /** Of a fact: its id, its kind and whom it is about. */
  id?: string | null;
  kind?: string | null;
  entities?: string[];
  /** Of a line of consolidated memory: the facts it rests on. */
  cites?: string[];
}

export interface ReadBlocksAnswerBlockSaidItem {
  text: string;
  /** Any of strong, emphasis, struck, code and picture. */
  look?: string[];
  /** What a link leads to, as it is written. */
  target?: string | null;
  /** The note that the link leads to. */
  note?: string | null;
}

export interface MemoryToolAnswer {
  text: string;
}

export interface StatusAnswerItem {
  agentId: string;
  status: StatusAnswerItemStatus;
  embeddingProbe?: StatusAnswerItemEmbeddingProbe | null;
  indexError?: string | null;
  scan: StatusAnswerItemScan;
  /** What only mindfile says. */
  mindfile: StatusAnswerItemMindfile;
}

export interface StatusAnswerItemStatus {
  backend: string;
  files: number;
  chunks: number;
  dirty: boolean;
  workspaceDir: string;
  dbPath: string;
  provider: string;
  model: string;
  requestedProvider: string;
  sources: string[];
  extraPaths: string[];
  sourceCounts: StatusAnswerItemStatusSourceCount[];
  cache: StatusAnswerItemStatusCache;
  fts: StatusAnswerItemStatusFts;
  /** Who answers in place of the provider that was asked for. */
  fallback?: SearchAnswerFallback | null;
  vector: StatusAnswerItemStatusVector;
  batch: StatusAnswerItemStatusBatch;
  storage: StatusAnswerItemStatusStorage;
  custom: StatusAnswerItemStatusCustom;
}

export interface StatusAnswerItemStatusSourceCount {
  source: string;
  files: number;
  chunks: number;
}

export interface StatusAnswerItemStatusCache {
  enabled: boolean;
  entries: number;
  maxEntries: number;
  hits: number;
  asked: number;
}

export interface StatusAnswerItemStatusFts {
  enabled: boolean;
  available: boolean;
  error?: string | null;
}

export interface StatusAnswerItemStatusVector {
  enabled: boolean;
  available: boolean;
  engine: string;
  dims?: number | null;
}

export interface StatusAnswerItemStatusBatch {
  enabled: boolean;
  failures: number;
  limit: number;
}

export interface StatusAnswerItemStatusStorage {
  databaseBytes: number;
  walBytes: number;
  reusableBytes: number;
  embeddingCacheBytes: number;
  embeddingCacheEntries: number;
}

export interface StatusAnswerItemStatusCustom {
  searchMode: string;
}

export interface StatusAnswerItemEmbeddingProbe {
  ok: boolean;
  error?: string | null;
}

export interface StatusAnswerItemScan {
  sources: StatusAnswerItemScanSource[];
  totalFiles: number;
  issues: string[];
}

export interface StatusAnswerItemScanSource {
  source: string;
  totalFiles: number | null;
  issues: string[];
}

export interface StatusAnswerItemMindfile {
  enabled: boolean;
  /** The setting that switches memory off. */
  off?: string | null;
  workspace: string;
  index: string;
  indexNote: string | null;
  generation: number | null;
  sqlite: string;
  engine?: string | null;
  embedded: number;
  pending: number;
  facts: number;
  entities: number;
  outages?: StatusAnswerItemMindfileOutage[];
  /** QMD, where it is the engine. */
  qmd?: StatusAnswerItemMindfileQmd | null;
  /** Notes in `memory/private/`. */
  private?: StatusAnswerItemMindfilePrivate | null;
  diagnostics: StatusAnswerItemMindfileDiagnostic[];
  drift: StatusAnswerItemMindfileDrift;
  stale: string[];
  fits: boolean;
  leftovers: string[];
  /** Why every question looks at all notes. Not there while a watch in this process tells of each change. */
  walks?: string | null;
  notices: string[];
  deep?: StatusAnswerItemMindfileDeepItem[] | null;
  /** The programs that `install` connects. */
  hosts: StatusAnswerItemMindfileHost[];
  /** What a person types at a terminal to reach this memory, where a server answers. */
  command?: string | null;
}

export interface StatusAnswerItemMindfileOutage {
  engine: string;
  reason: string;
  since: string;
  failures: number;
  /** When it is asked again. */
  next: string;
  /** When it answered again; not there while it fails. */
  back?: string | null;
}

export interface StatusAnswerItemMindfileQmd {
  home: string;
  searchMode: string;
  collections: string[];
  problems: string[];
  version?: string | null;
  updated?: string | null;
  embedded?: string | null;
  models: number;
  /** The port of its server, while some process keeps one. */
  serverPort?: number | null;
}

export interface StatusAnswerItemMindfilePrivate {
  encrypted: number;
  clear: number;
  /** Why the encrypted ones cannot be opened. */
  closed?: string | null;
}

export interface StatusAnswerItemMindfileDiagnostic {
  code: string;
  message: string;
  hint: string;
}

export interface StatusAnswerItemMindfileDrift {
  new: string[];
  changed: string[];
  removed: string[];
  held: string[];
}

export interface StatusAnswerItemMindfileDeepItem {
  check: string;
  result: string;
  message: string;
}

export interface StatusAnswerItemMindfileHost {
  name: string;
  title: string;
  /** It was connected from this state directory. */
  connected: boolean;
}

export interface DoctorAnswer {
  ok: boolean;
  findings: DoctorAnswerFinding[];
}

export interface DoctorAnswerFinding {
  severity: string;
  what: string;
  effect: string;
  fix?: DoctorAnswerFindingFix | null;
}

export interface DoctorAnswerFindingFix {
  command: string;
  /** Whether the doctor does it when asked to fix. */
  safe: boolean;
  done?: DoctorAnswerFindingFixDone | null;
}

export interface DoctorAnswerFindingFixDone {
  ok: boolean;
  message: string;
}

export interface IndexStateAnswer {
  ok: boolean;
  /** Whether this request began it. */
  started: boolean;
  running: boolean;
  /** How far the index has come. */
  progress?: IndexStateAnswerProgress | null;
}

export interface IndexStateAnswerProgress {
  notes: number;
  ofNotes: number;
  bytes: number;
  ofBytes: number;
  chunks: number;
  embedded: number;
  ofEmbedded: number;
}

export interface EmbeddingsAnswer {
  object: string;
  data: EmbeddingsAnswerDataItem[];
  model: string;
  usage: EmbeddingsAnswerUsage;
}

export interface EmbeddingsAnswerDataItem {
  object: string;
  index: number;
  embedding: number[] | string;
}

export interface EmbeddingsAnswerUsage {
  prompt_tokens: number;
  total_tokens: number;
}

export interface GivenAnswer {
  given: GivenAnswerGivenItem[];
  /** Of all that are listed; an estimate, four letters to a token. */
  tokens: number;
  /** How many times there are, listed or not. */
  total: number;
}

export interface GivenAnswerGivenItem {
  at: string;
  /** The event of a host, the tool or the operation by which. */
  by: string;
  door: string;
  session?: string | null;
  tokens: number;
  places: GivenAnswerGivenItemPlace[];
}

export interface GivenAnswerGivenItemPlace {
  citation: string;
  tokens: number;
  /** The id of the fact that stands there. */
  fact?: string | null;
  /** Of a fact that was given unasked: whether it was recalled since. */
  used?: boolean | null;
}

export interface AuditAnswerItem {
  entry: number;
  at: string;
  who: string;
  door: string;
  act: string;
  what: string;
  id?: string | null;
  digest?: string | null;
}

export interface VerifyAuditAnswer {
  ok: boolean;
  entries: number;
  head: string;
  torn: boolean;
  publicKey?: string | null;
  broken?: VerifyAuditAnswerBroken | null;
}

export interface VerifyAuditAnswerBroken {
  entry: number;
  file: string;
  line?: number | null;
  why: string;
}

export interface PolicyAnswer {
  rules: PolicyAnswerRule[];
  builtin: PolicyAnswerBuiltinItem[];
}

export interface PolicyAnswerRule {
  name: string;
  class: string;
  by: string;
  value: string;
}

export interface PolicyAnswerBuiltinItem {
  name: string;
  class: string;
  default: string;
  about: string;
}

export interface CheckPolicyAnswer {
  findings: CheckPolicyAnswerFinding[];
}

export interface CheckPolicyAnswerFinding {
  rule: string;
  class: string;
  line: number;
  column: number;
  preview: string;
  then: string;
}

export interface LookupOptions {
  /** How many passages at most; 6 if it is not said. */
  maxResults?: number;
  /** Only of this day and after: 2026-07-14, or 30d, 6w, 3mo before today. */
  since?: string;
  /** Only passages of this day and before. */
  until?: string;
  /** group, where others read along. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface SearchOptions {
  /** How many hits at most; 6 if nothing else is configured. */
  maxResults?: number;
  /** The lowest score, 0 to 1; 0 if nothing else is configured. What is weak comes last, and says so. */
  minScore?: number;
  /** By words and meaning, by words alone, or by meaning alone. */
  mode?: "hybrid" | "keyword" | "vector";
  /** Only notes, or only transcripts of conversations. */
  source?: "memory" | "sessions";
  /** Only notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today. */
  since?: string;
  /** Only notes of this day and before. */
  until?: string;
  /** What held on that day, instead of today. */
  asOf?: string;
  /** Rank what expired or was superseded as if it held. */
  past?: boolean;
  /** Also what nobody trusts, wrapped and labelled. */
  includeUntrusted?: boolean;
  /** Say how each score came about. */
  explain?: boolean;
  /** Say where each snippet matches, and what the note and the heading above it are called. */
  marks?: boolean;
  /** Say why this line is not among the results: PATH#L40. */
  whyNot?: string;
  /** Who reads along; direct if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
  /** What the host calls the conversation, such as agent:main:telegram:group:42; rules about chats go by it. */
  sessionKey?: string;
}

export interface ReadNoteOptions {
  /** The first line, counted from 1. */
  from?: number;
  /** How many bytes of the first line to leave out; for the rest of a line that is too long to be given at once. */
  byte?: number;
  /** How many lines; all that follow if it is not said. */
  lines?: number;
  /** The lines as they stand, without the marks round what nobody trusts: for an editor, never for a model. */
  raw?: boolean;
  /** Who reads along; direct if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface PutNoteOptions {
  /** The hash of what it said when it was read; the header If-Match says the same. Without it the note must be new. */
  ifMatch?: string;
}

export interface RecallOptions {
  /** How many facts at most; 10 if it is not said. */
  k?: number;
  /** Only facts that matter at least so much, 0 to 1. */
  minSalience?: number;
  /** How many entities away connections may be, 0 to 3; as far as the question asks for if it is not said. */
  associativeDepth?: number;
  /** What one step leaves of the activation, 0 to 1. */
  activationDecay?: number;
  /** Only facts about one of these. */
  entities?: string[];
  /** Only facts of this sort: W world, B experience, O opinion, S summary. */
  kind?: "W" | "B" | "O" | "S";
  /** Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today. */
  since?: string;
  /** What came in on that day and after, the most salient first; needs no question. A question narrows it. */
  recent?: string;
  /** What held on that day, instead of today. */
  asOf?: string;
  /** How many tokens the facts may have together. */
  budget?: number;
  /** How facts are put in order; gated if it is not said. */
  scorer?: "gated" | "additive";
  /** Also what expired or was superseded. */
  past?: boolean;
  /** Also what nobody trusts, wrapped and labelled. */
  includeUntrusted?: boolean;
  /** Show which entities led where. */
  debug?: boolean;
  /** Say how each score came about. */
  explain?: boolean;
  /** Look without counting it as a use of the facts. */
  noTouch?: boolean;
  /** Who reads along; direct if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface RetainOptions {
  /** W world fact, B experience, O opinion or preference, S summary. W if it is not said, O with a key. */
  kind?: "W" | "B" | "O" | "S";
  /** Whom and what it is about, such as Sarah or slow-endpoint. */
  entities?: string[];
  /** How much it matters, 0 to 1; estimated if it is not said. */
  salience?: number;
  /** How sure it is, 0 to 1. */
  confidence?: number;
  /** Makes it the current value of this name, such as editor.theme. */
  key?: string;
  /** How long it holds: 180d, 2w, or a last day. */
  ttl?: string;
  /** Who may see it. */
  sensitivity?: "low" | "medium" | "high";
  /** The day on which the person is to be reminded of it: 2026-07-14. */
  due?: string;
  /** Where it comes from: kind:reference, such as chat:msg_9981. */
  source?: string;
  /** A memory file instead of today's note. */
  file?: string;
  /** Your own name for this fact: a second request with it writes nothing. */
  id?: string;
  /** Replace a keyed value only if it has this version; 0: only if there is none. */
  ifVersion?: number;
  /** Write it though the same is known. */
  force?: boolean;
  /** The person has confirmed the change of a keyed value. */
  confirm?: boolean;
}

export interface ListFactsOptions {
  /** Only facts about it. */
  entity?: string;
  /** Only facts in this state. */
  state?: "current" | "later" | "expired" | "superseded" | "proposed";
  /** Only facts that are this one's word; all but untrusted ones if it is not said. */
  origin?: "owner" | "agent" | "untrusted";
  /** Only values of this key. */
  key?: string;
  /** Only facts whose text holds this. */
  text?: string;
  /** Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today. */
  since?: string;
  /** Only facts of this day and before. */
  until?: string;
  /** Only facts that matter at least so much, 0 to 1. */
  minSalience?: number;
  /** What comes first; newest if it is not said. */
  order?: "newest" | "oldest" | "salience" | "use" | "text";
  /** How many to leave out at the beginning. */
  offset?: number;
  /** How many at most; 100 if it is not said. */
  limit?: number;
  /** Who reads along; direct if it is not said. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface ReflectOptions {
  /** Say what would change, and change nothing. */
  dryRun?: boolean;
}

export interface ForgetOptions {
  /** The daily notes, facts and messages of the last days: 7d, 2w, 3mo. */
  last?: string;
  /** Those of this day and after. */
  since?: string;
  /** Those of this day and before. */
  until?: string;
  /** Every fact that names it, and its page. */
  entity?: string;
  /** Every line and sentence that has these words in this order. */
  query?: string;
  /** A conversation, and what was kept of it. */
  session?: string;
  /** Everything that is untrusted, or everything that agents wrote. */
  origin?: "untrusted" | "agent";
  /** Say what would go, and change nothing. */
  dryRun?: boolean;
}

export interface ContextOptions {
  /** Who reads along. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
  /** The model's context window in tokens; 200,000 if it is not said. */
  contextWindow?: number;
  /** For a sub-agent: without the section about memory. */
  minimal?: boolean;
}

export interface ReadSessionOptions {
  /** Also what a compaction stands for, results of tools and hidden messages. */
  full?: boolean;
  /** Only what stands before this line. */
  before?: number;
  /** About so many bytes of text at most, of the last entries. */
  bytes?: number;
}

export interface AppendMessagesOptions {
  /** Who reads along. */
  chatType?: "direct" | "group" | "channel" | "room";
  /** The model's context window in tokens. */
  contextWindow?: number;
}

export interface SessionContextOptions {
  /** Who reads along; as sessions.json says if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
  /** The model's context window in tokens; 200,000 if it is not said. */
  contextWindow?: number;
  /** For a sub-agent: without the section about memory. */
  minimal?: boolean;
  /** The model has no memory tools. */
  noTools?: boolean;
}

export interface FlushCheckOptions {
  /** What the provider counted for the last prompt. */
  tokens?: number;
  /** The turn that is about to be sent, if it is not appended yet. */
  pending?: string;
  /** The turn is a poll that keeps the agent alive. */
  heartbeat?: boolean;
  /** The provider is a command line that compacts by itself. */
  cliProvider?: boolean;
}

export interface CompactOptions {
  /** The model refused the conversation as too long: keep less. */
  overflow?: boolean;
}

export interface InspectFactOptions {
  /** What the key said on that day: 2026-07-14, or 30d before today. */
  asOf?: string;
  /** Who reads along; direct if it is not said. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface DeleteFactOptions {
  /** Say what would go, and change nothing. */
  dryRun?: boolean;
}

export interface DiffFactsOptions {
  /** How many at most of those that came, of those that changed and so on, the last ones; all if it is not said. */
  limit?: number;
  /** Who reads along; direct if it is not said. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface BlameNoteOptions {
  /** Who reads along; direct if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface ListDisagreementsOptions {
  /** Who reads along; direct if it is not said. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface SettleFactsOptions {
  /** Both hold: they are not asked about again. */
  both?: boolean;
}

export interface ReadEntityOptions {
  /** Who reads along; direct if it is not said. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface ReadGraphOptions {
  /** How many entities at most, the most frequent first. */
  limit?: number;
  /** Who reads along; direct if it is not said. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface ListNotesOptions {
  /** Only notes of this folder itself, daily notes left out; "." is the workspace. */
  folder?: string;
  /** Only paths that hold this, in any case. */
  text?: string;
  /** Only daily notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today. */
  since?: string;
  /** Only daily notes of this day and before. */
  until?: string;
  /** The last changed first, instead of by path. */
  newest?: boolean;
  /** Say what each is called; at most 200 at a time. */
  titles?: boolean;
  /** How many to leave out at the beginning. */
  offset?: number;
  /** How many at most; all if it is not said. */
  limit?: number;
  /** Who reads along; direct if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface ReadBlocksOptions {
  /** The first line, counted from 1. */
  from?: number;
  /** Who reads along; direct if it is not said. In a group MEMORY.md is never given. */
  chatType?: "direct" | "group" | "channel" | "room";
}

export interface MemoryToolOptions {
  /** The file or folder below /memories. */
  path?: string;
  /** view: the first line and the last, -1 for all that follow. */
  view_range?: number[];
  /** create: what the file says. */
  file_text?: string;
  /** str_replace: what stands there, once. */
  old_str?: string;
  /** str_replace: what stands there afterwards. */
  new_str?: string;
  /** insert: the line after which it is put, 0 for the beginning. */
  insert_line?: number;
  /** insert: the text. */
  insert_text?: string;
  /** rename: the path it has. */
  old_path?: string;
  /** rename: the path it gets. */
  new_path?: string;
}

export interface EmbeddingsOptions {
  /** Any name: the model inside the program answers. */
  model?: string;
  /** How numbers are written. */
  encoding_format?: "float" | string;
  /** Only what the model has. */
  dimensions?: number;
  user?: string;
}

export interface GivenOptions {
  /** How many of the last times. */
  limit?: number;
  /** How many of the last times to leave out. */
  offset?: number;
}

export interface AuditOptions {
  /** How many of the last entries. */
  limit?: number;
}

/** Every operation, as a method. */
export abstract class Operations {
  protected abstract ask<T>(method: string, path: string, fields: object): Promise<T>;

  /**
   * Find facts and passages in one short answer, for a model.
   * @param query What to look for, in your own words.
   */
  lookup(query: string, options: LookupOptions = {}): Promise<LookupAnswer> {
    return this.ask("GET", "/v1/lookup", { query, ...options });
  }

  /**
   * Find passages of notes by words and by meaning.
   * @param query What to look for, in your own words. "Quoted words" must stand together; -word must not stand there.
   */
  search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    return this.ask("GET", "/v1/search", { query, ...options });
  }

  /**
   * Print exact lines of a note.
   * @param path The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
   */
  readNote(path: string, options: ReadNoteOptions = {}): Promise<ReadNoteAnswer> {
    return this.ask("GET", "/v1/notes/{path}", { path, ...options });
  }

  /**
   * Write a whole note, new or in the place of the text that was read.
   * @param path The note, relative to the workspace, such as memory/plans.md.
   * @param text All that it says from now on. A line with a masked value stays what it is where it is repeated as it was shown.
   */
  putNote(path: string, text: string, options: PutNoteOptions = {}): Promise<PutNoteAnswer> {
    return this.ask("PUT", "/v1/notes/{path}", { path, text, ...options });
  }

  /**
   * Give a note another path; links to it follow.
   * @param path The note, relative to the workspace, such as memory/plans.md.
   * @param to Its new path, at which there is no note yet.
   * @param ifMatch The hash of what it said when it was read; the header If-Match says the same.
   */
  renameNote(path: string, to: string, ifMatch: string): Promise<RenameNoteAnswer> {
    return this.ask("PATCH", "/v1/notes/{path}", { path, to, ifMatch });
  }

  /**
   * Remove a note that says what was read.
   * @param path The note, relative to the workspace, such as memory/plans.md.
   * @param ifMatch The hash of what it said when it was read; the header If-Match says the same.
   */
  deleteNote(path: string, ifMatch: string): Promise<DeleteNoteAnswer> {
    return this.ask("DELETE", "/v1/notes/{path}", { path, ifMatch });
  }

  /**
   * Find facts that answer, and facts connected with those.
   * @param query The question, in your own words. May be empty if entities or a time are named.
   */
  recall(query?: string, options: RecallOptions = {}): Promise<RecallAnswer> {
    return this.ask("GET", "/v1/recall", { query, ...options });
  }

  /**
   * Keep a fact: one line in today's note.
   * @param text The fact: one sentence that can be understood by itself.
   */
  retain(text: string, options: RetainOptions = {}): Promise<RetainAnswer> {
    return this.ask("POST", "/v1/facts", { text, ...options });
  }

  /**
   * List facts, filtered and in an order.
   * @param kind Only facts of this sort.
   */
  listFacts(kind?: "W" | "B" | "O" | "S", options: ListFactsOptions = {}): Promise<ListFactsAnswer> {
    return this.ask("GET", "/v1/facts", { kind, ...options });
  }

  /**
   * Consolidate the facts that matter into MEMORY.md and bank/.
   * @param maxTokens How many tokens the core memory may have.
   */
  reflect(maxTokens?: number, options: ReflectOptions = {}): Promise<ReflectAnswer> {
    return this.ask("POST", "/v1/reflect", { maxTokens, ...options });
  }

  /** Undo the last reflection. */
  undoReflection(): Promise<UndoReflectionAnswer> {
    return this.ask("POST", "/v1/reflect/undo", {  });
  }

  /** Remove something from notes, conversations and index for good. */
  forget(options: ForgetOptions = {}): Promise<ForgetAnswer> {
    return this.ask("POST", "/v1/forget", { ...options });
  }

  /**
   * Show what an agent would be given now.
   * @param session The conversation whose turns belong to it; none if it is not said.
   */
  context(session?: string, options: ContextOptions = {}): Promise<ContextAnswer> {
    return this.ask("GET", "/v1/context", { session, ...options });
  }

  /**
   * List the conversations of the agent, the newest first.
   * @param limit How many at most; if it is not said, a person is shown 20, and JSON has all.
   */
  listSessions(limit?: number): Promise<ListSessionsAnswerItem[]> {
    return this.ask("GET", "/v1/sessions", { limit });
  }

  /**
   * Show what was said.
   * @param id The session.
   */
  readSession(id: string, options: ReadSessionOptions = {}): Promise<ReadSessionAnswer> {
    return this.ask("GET", "/v1/sessions/{id}", { id, ...options });
  }

  /**
   * Write down what was said: on the disk before this returns, and searchable.
   * @param id The session; it is begun if it is not there.
   * @param messages What was said, in order.
   */
  appendMessages(id: string, messages: AppendMessagesMessage[], options: AppendMessagesOptions = {}): Promise<AppendMessagesAnswer> {
    return this.ask("POST", "/v1/sessions/{id}/messages", { id, messages, ...options });
  }

  /**
   * Show what the rules found in it that may be worth keeping.
   * @param id The session.
   */
  candidates(id: string): Promise<AppendMessagesAnswerCandidate[]> {
    return this.ask("GET", "/v1/sessions/{id}/candidates", { id });
  }

  /**
   * Show exactly what a model would be given next, with the tokens of each part.
   * @param id The session.
   */
  sessionContext(id: string, options: SessionContextOptions = {}): Promise<ContextAnswer> {
    return this.ask("GET", "/v1/sessions/{id}/context", { id, ...options });
  }

  /**
   * Say whether memory must be flushed before the next turn.
   * @param id The session.
   * @param contextWindow The model's context window in tokens.
   */
  flushCheck(id: string, contextWindow: number, options: FlushCheckOptions = {}): Promise<FlushCheckAnswer> {
    return this.ask("GET", "/v1/sessions/{id}/flush-check", { id, contextWindow, ...options });
  }

  /**
   * Save what was said since the last flush to the day's note.
   * @param id The session.
   */
  flush(id: string): Promise<FlushAnswer> {
    return this.ask("POST", "/v1/sessions/{id}/flush", { id });
  }

  /**
   * Flush, then replace older turns by a summary; they stay in the transcript.
   * @param id The session.
   */
  compact(id: string, options: CompactOptions = {}): Promise<CompactAnswer> {
    return this.ask("POST", "/v1/sessions/{id}/compact", { id, ...options });
  }

  /**
   * Show one fact with its state, its use and its history.
   * @param id The fact's id, or a key.
   */
  inspectFact(id: string, options: InspectFactOptions = {}): Promise<InspectFactAnswer> {
    return this.ask("GET", "/v1/facts/{id}", { id, ...options });
  }

  /**
   * Reword a fact, or change who it is attributed to.
   * @param id The fact's id, or a key.
   * @param text What it says from now on.
   */
  editFact(id: string, text: string): Promise<EditFactAnswer> {
    return this.ask("PATCH", "/v1/facts/{id}", { id, text });
  }

  /**
   * Forget one fact everywhere.
   * @param id The fact's id, or a key with all its values.
   */
  deleteFact(id: string, options: DeleteFactOptions = {}): Promise<ForgetAnswer> {
    return this.ask("DELETE", "/v1/facts/{id}", { id, ...options });
  }

  /**
   * Tell which facts came, changed and ended in some days.
   * @param span The days, both ends among them: 2026-07-01..2026-08-01. Without an end, up to today: 7d, or 2026-07-01.
   */
  diffFacts(span: string, options: DiffFactsOptions = {}): Promise<DiffFactsAnswer> {
    return this.ask("GET", "/v1/diff", { span, ...options });
  }

  /**
   * Show who said each fact of a note, by which door, in which conversation and when.
   * @param path The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
   */
  blameNote(path: string, options: BlameNoteOptions = {}): Promise<BlameNoteAnswer> {
    return this.ask("GET", "/v1/blame/{path}", { path, ...options });
  }

  /**
   * List facts that do not agree, for somebody to settle.
   * @param limit How many at most, the newest; all if it is not said.
   */
  listDisagreements(limit?: number, options: ListDisagreementsOptions = {}): Promise<ListDisagreementsAnswer> {
    return this.ask("GET", "/v1/disagreements", { limit, ...options });
  }

  /**
   * Say which of two facts holds, or that both do.
   * @param holds The id of the fact that holds.
   * @param other The id of the one that does not agree with it. It is past from now on, and stays in its note.
   */
  settleFacts(holds: string, other: string, options: SettleFactsOptions = {}): Promise<SettleFactsAnswer> {
    return this.ask("POST", "/v1/settle", { holds, other, ...options });
  }

  /** List the people and things that facts mention. */
  listEntities(): Promise<ListEntitiesAnswerItem[]> {
    return this.ask("GET", "/v1/entities", {  });
  }

  /**
   * Show one entity with its facts and neighbours.
   * @param name Any of its names.
   */
  readEntity(name: string, options: ReadEntityOptions = {}): Promise<ReadEntityAnswer> {
    return this.ask("GET", "/v1/entities/{name}", { name, ...options });
  }

  /**
   * Show the strongest entities and what connects them.
   * @param asOf What held on that day, instead of today.
   */
  readGraph(asOf?: string, options: ReadGraphOptions = {}): Promise<ReadGraphAnswer> {
    return this.ask("GET", "/v1/graph", { asOf, ...options });
  }

  /**
   * List the memory files.
   * @param prefix Only paths that begin so.
   */
  listNotes(prefix?: string, options: ListNotesOptions = {}): Promise<ListNotesAnswer> {
    return this.ask("GET", "/v1/notes", { prefix, ...options });
  }

  /**
   * Count the memory files by folder and by month.
   * @param chatType Who reads along; direct if it is not said. In a group MEMORY.md is never given.
   */
  outlineNotes(chatType?: "direct" | "group" | "channel" | "room"): Promise<OutlineNotesAnswer> {
    return this.ask("GET", "/v1/outline", { chatType });
  }

  /**
   * Read a note as headings, paragraphs, items and facts.
   * @param path The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
   */
  readBlocks(path: string, options: ReadBlocksOptions = {}): Promise<ReadBlocksAnswer> {
    return this.ask("GET", "/v1/blocks/{path}", { path, ...options });
  }

  /**
   * Read a text as a note would be read; it is kept nowhere.
   * @param text The text that a note may come to have.
   */
  previewBlocks(text: string): Promise<ReadBlocksAnswer> {
    return this.ask("POST", "/v1/blocks", { text });
  }

  /**
   * Carry out a command of Anthropic's memory tool, as JSON on standard input.
   * @param command What to do: view, create, str_replace, insert, delete or rename.
   */
  memoryTool(command: "view" | "create" | "str_replace" | "insert" | "delete" | "rename", options: MemoryToolOptions = {}): Promise<MemoryToolAnswer> {
    return this.ask("POST", "/v1/tools/memory", { command, ...options });
  }

  /**
   * Show what is indexed, and how.
   * @param deep Compare every note with the index.
   */
  status(deep?: boolean): Promise<StatusAnswerItem[]> {
    return this.ask("GET", "/v1/status", { deep });
  }

  /** Check notes, index, settings and disk. */
  doctor(): Promise<DoctorAnswer> {
    return this.ask("GET", "/v1/doctor", {  });
  }

  /** Say whether the index is being brought up to date. */
  indexState(): Promise<IndexStateAnswer> {
    return this.ask("GET", "/v1/index", {  });
  }

  /**
   * Begin to bring the index up to date; /v1/events tells how far it is.
   * @param force Make the index again from the notes, beside the one in use, and put it in its place.
   */
  startIndex(force?: boolean): Promise<IndexStateAnswer> {
    return this.ask("POST", "/v1/index", { force });
  }

  /**
   * Make vectors with the model inside the program.
   * @param input One text, or several.
   */
  embeddings(input: string | string[], options: EmbeddingsOptions = {}): Promise<EmbeddingsAnswer> {
    return this.ask("POST", "/v1/embeddings", { input, ...options });
  }

  /**
   * Show what models were given of the memory, with the tokens of each place.
   * @param session Only in this session; in all if it is not said.
   */
  given(session?: string, options: GivenOptions = {}): Promise<GivenAnswer> {
    return this.ask("GET", "/v1/given", { session, ...options });
  }

  /**
   * Show who wrote what, and who saw what is sensitive.
   * @param since Only entries of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
   */
  audit(since?: string, options: AuditOptions = {}): Promise<AuditAnswerItem[]> {
    return this.ask("GET", "/v1/audit", { since, ...options });
  }

  /**
   * Check that every entry of the audit log is as it was written.
   * @param anchor A head that was kept elsewhere, as an earlier check gave it.
   */
  verifyAudit(anchor?: string): Promise<VerifyAuditAnswer> {
    return this.ask("GET", "/v1/audit/verify", { anchor });
  }

  /** Show every rule of what may be stored, with its class. */
  policy(): Promise<PolicyAnswer> {
    return this.ask("GET", "/v1/policy", {  });
  }

  /**
   * Say what the policy finds in a text, and what would happen to it; a value is never printed.
   * @param text The text to judge; it is kept nowhere.
   */
  checkPolicy(text: string): Promise<CheckPolicyAnswer> {
    return this.ask("POST", "/v1/policy/check", { text });
  }
}
