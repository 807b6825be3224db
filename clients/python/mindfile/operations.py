"""Made by clients/generate.py from the program's own description. Not to be changed by hand."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class _LookupAnswer(TypedDict):
    hits: list[LookupAnswerHit]


class LookupAnswer(_LookupAnswer, total=False):
    degraded: list[str]


class _LookupAnswerHit(TypedDict):
    says: str


class LookupAnswerHit(_LookupAnswerHit, total=False):
    at: Union[str, None]
    sure: Union[str, None]


class _SearchAnswer(TypedDict):
    results: list[SearchAnswerResult]
    backend: str
    provider: str
    model: str
    mode: str
    degraded: list[str]


class SearchAnswer(_SearchAnswer, total=False):
    weak: Union[int, None]
    untrusted: Union[int, None]
    fallback: Union[SearchAnswerFallback, None]
    phrasesRelaxed: bool
    stale: Union[str, None]
    notices: list[str]
    plan: SearchAnswerPlan
    terms: list[SearchAnswerTerm]
    whyNot: Union[SearchAnswerWhyNot, None]


class _SearchAnswerResult(TypedDict):
    path: str
    startLine: int
    endLine: int
    score: float
    sure: str
    answer: SearchAnswerResultAnswer
    snippet: str
    source: str
    origin: str


class SearchAnswerResult(_SearchAnswerResult, total=False):
    title: Union[str, None]
    heading: Union[str, None]
    chance: Union[float, None]
    marks: Union[list[list[int]], None]
    past: Union[str, None]
    citation: Union[str, None]
    parts: Union[list[SearchAnswerResultPart], None]
    messages: list[SearchAnswerResultMessage]


class SearchAnswerResultAnswer(TypedDict):
    line: int
    text: str


class _SearchAnswerResultPart(TypedDict):
    stage: str
    raw: float
    contribution: float


class SearchAnswerResultPart(_SearchAnswerResultPart, total=False):
    normal: Union[float, None]
    weight: Union[float, None]
    factor: Union[float, None]


class _SearchAnswerResultMessage(TypedDict):
    line: int
    role: str


class SearchAnswerResultMessage(_SearchAnswerResultMessage, total=False):
    speaker: Union[str, None]
    date: Union[str, None]


SearchAnswerFallback = TypedDict("SearchAnswerFallback", {"from": "str", "to": "Union[str, None]", "reason": "str", "at": "Union[str, None]"}, total=False)


class SearchAnswerPlan(TypedDict):
    text: str
    words: list[str]
    phrases: list[str]
    excluded: list[str]
    mode: str
    maxResults: int
    minScore: float
    weights: SearchAnswerPlanWeights
    found: SearchAnswerPlanFound
    belowMinimum: int
    strength: Union[SearchAnswerPlanStrength, None]


class SearchAnswerPlanWeights(TypedDict):
    words: float
    meaning: float
    interaction: float


class SearchAnswerPlanFound(TypedDict):
    words: int
    meaning: int


class SearchAnswerPlanStrength(TypedDict):
    value: float
    coverage: float
    understood: float
    nearnessLead: float
    cosineLead: float
    wordsLead: float
    lettersLead: Union[float, None]
    unheard: float
    told: float
    namesUnknown: Union[float, None]
    othersLead: Union[float, None]


class _SearchAnswerTerm(TypedDict):
    term: str
    chunks: int
    weight: float


class SearchAnswerTerm(_SearchAnswerTerm, total=False):
    forms: list[str]


class SearchAnswerWhyNot(TypedDict):
    path: str
    line: int
    standing: Union[SearchAnswerWhyNotStanding, None]
    candidates: int
    maxResults: int
    advice: str


class SearchAnswerWhyNotStanding(TypedDict):
    startLine: int
    endLine: int
    words: Union[int, None]
    meaning: Union[int, None]
    fused: Union[int, None]
    last: Union[int, None]
    score: Union[float, None]
    parts: Union[list[SearchAnswerResultPart], None]
    missing: list[str]


ReadNoteAnswer = TypedDict("ReadNoteAnswer", {"path": "str", "from": "int", "byte": "Union[int, None]", "lines": "int", "text": "str", "truncated": "bool", "next": "Union[ReadNoteAnswerNext, None]", "hash": "Union[str, None]"}, total=False)


ReadNoteAnswerNext = TypedDict("ReadNoteAnswerNext", {"from": "int", "byte": "Union[int, None]", "lines": "Union[int, None]"}, total=False)


class PutNoteAnswer(TypedDict):
    path: str
    hash: str
    created: bool


RenameNoteAnswer = TypedDict("RenameNoteAnswer", {"path": "str", "from": "str", "hash": "str", "relinked": "list[str]", "notices": "list[str]"}, total=False)


class DeleteNoteAnswer(TypedDict):
    path: str
    deleted: bool


class _RecallAnswer(TypedDict):
    results: list[RecallAnswerResult]
    tokens: int
    leftOut: int
    degraded: list[str]


class RecallAnswer(_RecallAnswer, total=False):
    nearest: list[RecallAnswerResult]
    traversal: Union[RecallAnswerTraversal, None]
    stale: Union[str, None]
    notices: list[str]


class _RecallAnswerResult(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    score: float
    hop: int
    via: list[str]


class RecallAnswerResult(_RecallAnswerResult, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]
    disagrees: list[str]
    state: Union[str, None]
    parts: Union[list[SearchAnswerResultPart], None]


class RecallAnswerTraversal(TypedDict):
    steps: list[RecallAnswerTraversalStep]
    activation: list[RecallAnswerTraversalActivationItem]


RecallAnswerTraversalStep = TypedDict("RecallAnswerTraversalStep", {"from": "str", "to": "list[str]"}, total=False)


class RecallAnswerTraversalActivationItem(TypedDict):
    entity: str
    activation: float


class _RetainAnswer(TypedDict):
    ok: bool
    outcome: str
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str


class RetainAnswer(_RetainAnswer, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]
    before: Union[RetainAnswerBefore, None]
    past: list[RetainAnswerPastItem]
    disagrees: list[RetainAnswerPastItem]


class _RetainAnswerBefore(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str


class RetainAnswerBefore(_RetainAnswerBefore, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]


class _RetainAnswerPastItem(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str


class RetainAnswerPastItem(_RetainAnswerPastItem, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]


class ListFactsAnswer(TypedDict):
    facts: list[ListFactsAnswerFact]
    total: int
    offset: int


class _ListFactsAnswerFact(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    state: str
    accessCount: int


class ListFactsAnswerFact(_ListFactsAnswerFact, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]


class ReflectAnswer(TypedDict):
    ok: bool
    dryRun: bool
    processed: int
    total: int
    folded: int
    contradicted: int
    leftOut: int
    tokens: int
    wasTokens: int
    added: list[str]
    removed: list[str]
    kept: int
    files: list[str]
    facts: list[ReflectAnswerFact]


class ReflectAnswerFact(TypedDict):
    id: str
    priority: float


class UndoReflectionAnswer(TypedDict):
    ok: bool
    files: list[str]


class ForgetAnswer(TypedDict):
    ok: bool
    dryRun: bool
    facts: int
    lines: list[ForgetAnswerLine]
    notes: list[str]
    messages: list[ForgetAnswerMessage]
    files: list[str]
    pending: list[str]
    notices: list[str]


class ForgetAnswerLine(TypedDict):
    path: str
    line: int
    text: str
    why: str


class ForgetAnswerMessage(TypedDict):
    session: str
    line: int
    text: str
    why: str


class _ContextAnswer(TypedDict):
    sessionId: str
    chatType: str
    tokens: int
    system: list[ContextAnswerSystemItem]
    turns: list[ContextAnswerTurn]
    withheld: list[str]
    pruned: ContextAnswerPruned


class ContextAnswer(_ContextAnswer, total=False):
    summary: Union[ContextAnswerSummary, None]
    notices: list[str]


class ContextAnswerSystemItem(TypedDict):
    name: str
    tokens: int
    leftOut: int
    text: str


class ContextAnswerSummary(TypedDict):
    line: int
    tokens: int
    text: str


class ContextAnswerTurn(TypedDict):
    line: int
    role: str
    tokens: int
    text: str


class _ContextAnswerPruned(TypedDict):
    trimmed: int
    cleared: int
    tokensBefore: int
    tokensAfter: int


class ContextAnswerPruned(_ContextAnswerPruned, total=False):
    mode: str


class ListSessionsAnswerItem(TypedDict):
    sessionId: str
    key: Union[str, None]
    updatedAt: Union[str, None]
    chatType: str
    compactionCount: int
    memoryFlushAt: Union[str, None]
    memoryFlushCompactionCount: Union[int, None]
    inputTokens: int
    outputTokens: int
    contextTokens: Union[int, None]
    totalTokens: Union[int, None]
    kept: str
    bytes: Union[int, None]


class _ReadSessionAnswer(TypedDict):
    sessionId: str
    entries: list[ReadSessionAnswerEntry]
    damagedLines: list[int]


class ReadSessionAnswer(_ReadSessionAnswer, total=False):
    earlier: int


class _ReadSessionAnswerEntry(TypedDict):
    line: int
    type: str
    text: str


class ReadSessionAnswerEntry(_ReadSessionAnswerEntry, total=False):
    id: Union[str, None]
    role: Union[str, None]
    speaker: Union[str, None]
    timestamp: Union[str, None]


class _AppendMessagesMessage(TypedDict):
    role: Literal["user", "assistant", "tool", "system"]
    text: str


class AppendMessagesMessage(_AppendMessagesMessage, total=False):
    speaker: str
    tool: str
    callId: str
    hidden: bool


class _AppendMessagesAnswer(TypedDict):
    ok: bool
    sessionId: str
    entries: list[AppendMessagesAnswerEntry]
    candidates: list[AppendMessagesAnswerCandidate]
    facts: list[RetainAnswerPastItem]


class AppendMessagesAnswer(_AppendMessagesAnswer, total=False):
    notices: list[str]


class AppendMessagesAnswerEntry(TypedDict):
    id: str
    line: int
    citation: str


class AppendMessagesAnswerCandidate(TypedDict):
    rule: str
    role: str
    text: str
    citation: str


class FlushCheckAnswer(TypedDict):
    flush: bool
    reason: str
    threshold: int
    tokens: int
    compact: bool


class FlushAnswer(TypedDict):
    ok: bool
    note: Union[str, None]
    candidates: int
    added: list[FlushAnswerAddedItem]
    notices: list[str]


class FlushAnswerAddedItem(TypedDict):
    note: str
    lines: int


class CompactAnswer(TypedDict):
    ok: bool
    id: Union[str, None]
    by: str
    messages: int
    firstKeptEntryId: Union[str, None]
    tokensBefore: int
    tokensAfter: int
    summary: str
    notices: list[str]


class _InspectFactAnswer(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    state: str
    raw: str
    accessCount: int
    injected: list[str]


class InspectFactAnswer(_InspectFactAnswer, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]
    lastAccessedAt: Union[str, None]
    door: Union[str, None]
    cameAt: Union[str, None]
    history: list[InspectFactAnswerHistoryItem]
    copies: list[RetainAnswerPastItem]


class _InspectFactAnswerHistoryItem(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    state: str


class InspectFactAnswerHistoryItem(_InspectFactAnswerHistoryItem, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]


class _EditFactAnswer(TypedDict):
    ok: bool
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    before: str
    notices: list[str]


class EditFactAnswer(_EditFactAnswer, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]


DiffFactsAnswer = TypedDict("DiffFactsAnswer", {"from": "str", "to": "str", "came": "list[DiffFactsAnswerCameItem]", "changed": "list[DiffFactsAnswerChangedItem]", "ended": "list[DiffFactsAnswerCameItem]", "removed": "list[DiffFactsAnswerRemovedItem]", "total": "DiffFactsAnswerTotal"}, total=False)


class _DiffFactsAnswerCameItem(TypedDict):
    day: str
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    state: str


class DiffFactsAnswerCameItem(_DiffFactsAnswerCameItem, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]


class _DiffFactsAnswerChangedItem(TypedDict):
    day: str
    after: RetainAnswerPastItem


class DiffFactsAnswerChangedItem(_DiffFactsAnswerChangedItem, total=False):
    before: Union[RetainAnswerBefore, None]


class _DiffFactsAnswerRemovedItem(TypedDict):
    day: str
    act: str
    door: str


class DiffFactsAnswerRemovedItem(_DiffFactsAnswerRemovedItem, total=False):
    id: Union[str, None]


class DiffFactsAnswerTotal(TypedDict):
    came: int
    changed: int
    ended: int
    removed: int


class BlameNoteAnswer(TypedDict):
    path: str
    facts: list[BlameNoteAnswerFact]


class _BlameNoteAnswerFact(TypedDict):
    id: str
    kind: str
    text: str
    salience: float
    entities: list[str]
    path: str
    line: int
    origin: str
    state: str
    accessCount: int


class BlameNoteAnswerFact(_BlameNoteAnswerFact, total=False):
    confidence: Union[float, None]
    key: Union[str, None]
    version: Union[int, None]
    sensitivity: Union[str, None]
    source: Union[str, None]
    seen: Union[str, None]
    confirmed: Union[str, None]
    validUntil: Union[str, None]
    due: Union[str, None]
    until: Union[str, None]
    by: Union[str, None]
    lastAccessedAt: Union[str, None]
    door: Union[str, None]
    cameAt: Union[str, None]
    conversation: Union[str, None]
    lastConfirmed: Union[str, None]


class ListDisagreementsAnswer(TypedDict):
    disagreements: list[ListDisagreementsAnswerDisagreement]
    total: int


class ListDisagreementsAnswerDisagreement(TypedDict):
    newer: RetainAnswerPastItem
    older: RetainAnswerPastItem
    certain: bool


class SettleFactsAnswer(TypedDict):
    ok: bool
    both: bool
    holds: RetainAnswerPastItem
    other: RetainAnswerPastItem
    notices: list[str]


class ListEntitiesAnswerItem(TypedDict):
    name: str
    spelled: str
    factCount: int
    idfWeight: float
    hub: bool


class _ReadEntityAnswer(TypedDict):
    name: str
    spelled: str
    factCount: int
    idfWeight: float
    hub: bool
    aliases: list[str]
    facts: list[RetainAnswerPastItem]
    neighbours: list[ReadEntityAnswerNeighbour]


class ReadEntityAnswer(_ReadEntityAnswer, total=False):
    page: Union[str, None]


class ReadEntityAnswerNeighbour(TypedDict):
    name: str
    spelled: str
    cooccurCount: int
    cooccurWeight: float


ReadGraphAnswer = TypedDict("ReadGraphAnswer", {"entities": "list[ReadGraphAnswerEntity]", "pairs": "list[ReadGraphAnswerPair]", "total": "int", "from": "Union[str, None]", "to": "Union[str, None]"}, total=False)


class ReadGraphAnswerEntity(TypedDict):
    name: str
    spelled: str
    factCount: int
    hub: bool
    cluster: int


class ReadGraphAnswerPair(TypedDict):
    a: int
    b: int
    together: int
    weight: float


class ListNotesAnswer(TypedDict):
    notes: list[ListNotesAnswerNote]
    total: int
    offset: int


class _ListNotesAnswerNote(TypedDict):
    path: str
    bytes: int
    modified: Union[str, None]


class ListNotesAnswerNote(_ListNotesAnswerNote, total=False):
    title: Union[str, None]
    day: Union[str, None]


class OutlineNotesAnswer(TypedDict):
    folders: list[OutlineNotesAnswerFolder]
    months: list[OutlineNotesAnswerFolder]
    total: int


class OutlineNotesAnswerFolder(TypedDict):
    name: str
    notes: int
    bytes: int


class _ReadBlocksAnswer(TypedDict):
    path: str
    modified: Union[str, None]
    lines: int
    blocks: list[ReadBlocksAnswerBlock]


class ReadBlocksAnswer(_ReadBlocksAnswer, total=False):
    title: Union[str, None]
    day: Union[str, None]
    fields: list[ReadBlocksAnswerField]
    next: Union[int, None]
    truncated: bool


class ReadBlocksAnswerField(TypedDict):
    line: int
    name: str
    value: str


class _ReadBlocksAnswerBlock(TypedDict):
    line: int
    last: int
    sort: str


class ReadBlocksAnswerBlock(_ReadBlocksAnswerBlock, total=False):
    depth: int
    quotes: int
    untrusted: bool
    level: Union[int, None]
    number: Union[int, None]
    done: Union[bool, None]
    said: list[ReadBlocksAnswerBlockSaidItem]
    text: Union[str, None]
    language: Union[str, None]
    rows: list[list[list[ReadBlocksAnswerBlockSaidItem]]]
    id: Union[str, None]
    kind: Union[str, None]
    entities: list[str]
    cites: list[str]


class _ReadBlocksAnswerBlockSaidItem(TypedDict):
    text: str


class ReadBlocksAnswerBlockSaidItem(_ReadBlocksAnswerBlockSaidItem, total=False):
    look: list[str]
    target: Union[str, None]
    note: Union[str, None]


class MemoryToolAnswer(TypedDict):
    text: str


class _StatusAnswerItem(TypedDict):
    agentId: str
    status: StatusAnswerItemStatus
    scan: StatusAnswerItemScan
    mindfile: StatusAnswerItemMindfile


class StatusAnswerItem(_StatusAnswerItem, total=False):
    embeddingProbe: Union[StatusAnswerItemEmbeddingProbe, None]
    indexError: Union[str, None]


class _StatusAnswerItemStatus(TypedDict):
    backend: str
    files: int
    chunks: int
    dirty: bool
    workspaceDir: str
    dbPath: str
    provider: str
    model: str
    requestedProvider: str
    sources: list[str]
    extraPaths: list[str]
    sourceCounts: list[StatusAnswerItemStatusSourceCount]
    cache: StatusAnswerItemStatusCache
    fts: StatusAnswerItemStatusFts
    vector: StatusAnswerItemStatusVector
    batch: StatusAnswerItemStatusBatch
    storage: StatusAnswerItemStatusStorage
    custom: StatusAnswerItemStatusCustom


class StatusAnswerItemStatus(_StatusAnswerItemStatus, total=False):
    fallback: Union[SearchAnswerFallback, None]


class StatusAnswerItemStatusSourceCount(TypedDict):
    source: str
    files: int
    chunks: int


class StatusAnswerItemStatusCache(TypedDict):
    enabled: bool
    entries: int
    maxEntries: int
    hits: int
    asked: int


class _StatusAnswerItemStatusFts(TypedDict):
    enabled: bool
    available: bool


class StatusAnswerItemStatusFts(_StatusAnswerItemStatusFts, total=False):
    error: Union[str, None]


class _StatusAnswerItemStatusVector(TypedDict):
    enabled: bool
    available: bool
    engine: str


class StatusAnswerItemStatusVector(_StatusAnswerItemStatusVector, total=False):
    dims: Union[int, None]


class StatusAnswerItemStatusBatch(TypedDict):
    enabled: bool
    failures: int
    limit: int


class StatusAnswerItemStatusStorage(TypedDict):
    databaseBytes: int
    walBytes: int
    reusableBytes: int
    embeddingCacheBytes: int
    embeddingCacheEntries: int


class StatusAnswerItemStatusCustom(TypedDict):
    searchMode: str


class _StatusAnswerItemEmbeddingProbe(TypedDict):
    ok: bool


class StatusAnswerItemEmbeddingProbe(_StatusAnswerItemEmbeddingProbe, total=False):
    error: Union[str, None]


class StatusAnswerItemScan(TypedDict):
    sources: list[StatusAnswerItemScanSource]
    totalFiles: int
    issues: list[str]


class StatusAnswerItemScanSource(TypedDict):
    source: str
    totalFiles: Union[int, None]
    issues: list[str]


class _StatusAnswerItemMindfile(TypedDict):
    enabled: bool
    workspace: str
    index: str
    indexNote: Union[str, None]
    generation: Union[int, None]
    sqlite: str
    embedded: int
    pending: int
    facts: int
    entities: int
    diagnostics: list[StatusAnswerItemMindfileDiagnostic]
    drift: StatusAnswerItemMindfileDrift
    stale: list[str]
    fits: bool
    leftovers: list[str]
    notices: list[str]
    hosts: list[StatusAnswerItemMindfileHost]


class StatusAnswerItemMindfile(_StatusAnswerItemMindfile, total=False):
    off: Union[str, None]
    engine: Union[str, None]
    outages: list[StatusAnswerItemMindfileOutage]
    qmd: Union[StatusAnswerItemMindfileQmd, None]
    private: Union[StatusAnswerItemMindfilePrivate, None]
    walks: Union[str, None]
    deep: Union[list[StatusAnswerItemMindfileDeepItem], None]
    command: Union[str, None]


class _StatusAnswerItemMindfileOutage(TypedDict):
    engine: str
    reason: str
    since: str
    failures: int
    next: str


class StatusAnswerItemMindfileOutage(_StatusAnswerItemMindfileOutage, total=False):
    back: Union[str, None]


class _StatusAnswerItemMindfileQmd(TypedDict):
    home: str
    searchMode: str
    collections: list[str]
    problems: list[str]
    models: int


class StatusAnswerItemMindfileQmd(_StatusAnswerItemMindfileQmd, total=False):
    version: Union[str, None]
    updated: Union[str, None]
    embedded: Union[str, None]
    serverPort: Union[int, None]


class _StatusAnswerItemMindfilePrivate(TypedDict):
    encrypted: int
    clear: int


class StatusAnswerItemMindfilePrivate(_StatusAnswerItemMindfilePrivate, total=False):
    closed: Union[str, None]


class StatusAnswerItemMindfileDiagnostic(TypedDict):
    code: str
    message: str
    hint: str


class StatusAnswerItemMindfileDrift(TypedDict):
    new: list[str]
    changed: list[str]
    removed: list[str]
    held: list[str]


class StatusAnswerItemMindfileDeepItem(TypedDict):
    check: str
    result: str
    message: str


class StatusAnswerItemMindfileHost(TypedDict):
    name: str
    title: str
    connected: bool


class DoctorAnswer(TypedDict):
    ok: bool
    findings: list[DoctorAnswerFinding]


class _DoctorAnswerFinding(TypedDict):
    severity: str
    what: str
    effect: str


class DoctorAnswerFinding(_DoctorAnswerFinding, total=False):
    fix: Union[DoctorAnswerFindingFix, None]


class _DoctorAnswerFindingFix(TypedDict):
    command: str
    safe: bool


class DoctorAnswerFindingFix(_DoctorAnswerFindingFix, total=False):
    done: Union[DoctorAnswerFindingFixDone, None]


class DoctorAnswerFindingFixDone(TypedDict):
    ok: bool
    message: str


class _IndexStateAnswer(TypedDict):
    ok: bool
    started: bool
    running: bool


class IndexStateAnswer(_IndexStateAnswer, total=False):
    progress: Union[IndexStateAnswerProgress, None]


class IndexStateAnswerProgress(TypedDict):
    notes: int
    ofNotes: int
    bytes: int
    ofBytes: int
    chunks: int
    embedded: int
    ofEmbedded: int


class EmbeddingsAnswer(TypedDict):
    object: str
    data: list[EmbeddingsAnswerDataItem]
    model: str
    usage: EmbeddingsAnswerUsage


class EmbeddingsAnswerDataItem(TypedDict):
    object: str
    index: int
    embedding: Union[list[float], str]


class EmbeddingsAnswerUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int


class GivenAnswer(TypedDict):
    given: list[GivenAnswerGivenItem]
    tokens: int
    total: int


class _GivenAnswerGivenItem(TypedDict):
    at: str
    by: str
    door: str
    tokens: int
    places: list[GivenAnswerGivenItemPlace]


class GivenAnswerGivenItem(_GivenAnswerGivenItem, total=False):
    session: Union[str, None]


class _GivenAnswerGivenItemPlace(TypedDict):
    citation: str
    tokens: int


class GivenAnswerGivenItemPlace(_GivenAnswerGivenItemPlace, total=False):
    fact: Union[str, None]
    used: Union[bool, None]


class _AuditAnswerItem(TypedDict):
    entry: int
    at: str
    who: str
    door: str
    act: str
    what: str


class AuditAnswerItem(_AuditAnswerItem, total=False):
    id: Union[str, None]
    digest: Union[str, None]


class _VerifyAuditAnswer(TypedDict):
    ok: bool
    entries: int
    head: str
    torn: bool


class VerifyAuditAnswer(_VerifyAuditAnswer, total=False):
    publicKey: Union[str, None]
    broken: Union[VerifyAuditAnswerBroken, None]


class _VerifyAuditAnswerBroken(TypedDict):
    entry: int
    file: str
    why: str


class VerifyAuditAnswerBroken(_VerifyAuditAnswerBroken, total=False):
    line: Union[int, None]


class PolicyAnswer(TypedDict):
    rules: list[PolicyAnswerRule]
    builtin: list[PolicyAnswerBuiltinItem]


PolicyAnswerRule = TypedDict("PolicyAnswerRule", {"name": "str", "class": "str", "by": "str", "value": "str"}, total=False)


PolicyAnswerBuiltinItem = TypedDict("PolicyAnswerBuiltinItem", {"name": "str", "class": "str", "default": "str", "about": "str"}, total=False)


class CheckPolicyAnswer(TypedDict):
    findings: list[CheckPolicyAnswerFinding]


CheckPolicyAnswerFinding = TypedDict("CheckPolicyAnswerFinding", {"rule": "str", "class": "str", "line": "int", "column": "int", "preview": "str", "then": "str"}, total=False)


class Operations:
    """Every operation, as a method."""

    def _ask(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        raise NotImplementedError

    def lookup(
        self,
        query: str,
        *,
        max_results: Union[int, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> LookupAnswer:
        """Find facts and passages in one short answer, for a model.

        query: What to look for, in your own words.
        max_results: How many passages at most; 6 if it is not said.
        since: Only of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
        until: Only passages of this day and before.
        chat_type: group, where others read along.
        """
        return self._ask("GET", "/v1/lookup", {"query": query, "maxResults": max_results, "since": since, "until": until, "chatType": chat_type})

    def search(
        self,
        query: str,
        *,
        max_results: Union[int, None] = None,
        min_score: Union[float, None] = None,
        mode: Union[Literal["hybrid", "keyword", "vector"], None] = None,
        source: Union[Literal["memory", "sessions"], None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        as_of: Union[str, None] = None,
        past: Union[bool, None] = None,
        include_untrusted: Union[bool, None] = None,
        explain: Union[bool, None] = None,
        marks: Union[bool, None] = None,
        why_not: Union[str, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        session_key: Union[str, None] = None,
    ) -> SearchAnswer:
        """Find passages of notes by words and by meaning.

        query: What to look for, in your own words. "Quoted words" must stand together; -word must not stand there.
        max_results: How many hits at most; 6 if nothing else is configured.
        min_score: The lowest score, 0 to 1; 0 if nothing else is configured. What is weak comes last, and says so.
        mode: By words and meaning, by words alone, or by meaning alone.
        source: Only notes, or only transcripts of conversations.
        since: Only notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
        until: Only notes of this day and before.
        as_of: What held on that day, instead of today.
        past: Rank what expired or was superseded as if it held.
        include_untrusted: Also what nobody trusts, wrapped and labelled.
        explain: Say how each score came about.
        marks: Say where each snippet matches, and what the note and the heading above it are called.
        why_not: Say why this line is not among the results: PATH#L40.
        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        session_key: What the host calls the conversation, such as agent:main:telegram:group:42; rules about chats go by it.
        """
        return self._ask("GET", "/v1/search", {"query": query, "maxResults": max_results, "minScore": min_score, "mode": mode, "source": source, "since": since, "until": until, "asOf": as_of, "past": past, "includeUntrusted": include_untrusted, "explain": explain, "marks": marks, "whyNot": why_not, "chatType": chat_type, "sessionKey": session_key})

    def read_note(
        self,
        path: str,
        *,
        from_: Union[int, None] = None,
        byte: Union[int, None] = None,
        lines: Union[int, None] = None,
        raw: Union[bool, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadNoteAnswer:
        """Print exact lines of a note.

        path: The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
        from_: The first line, counted from 1.
        byte: How many bytes of the first line to leave out; for the rest of a line that is too long to be given at once.
        lines: How many lines; all that follow if it is not said.
        raw: The lines as they stand, without the marks round what nobody trusts: for an editor, never for a model.
        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        """
        return self._ask("GET", "/v1/notes/{path}", {"path": path, "from": from_, "byte": byte, "lines": lines, "raw": raw, "chatType": chat_type})

    def put_note(
        self,
        path: str,
        text: str,
        *,
        if_match: Union[str, None] = None,
    ) -> PutNoteAnswer:
        """Write a whole note, new or in the place of the text that was read.

        path: The note, relative to the workspace, such as memory/plans.md.
        text: All that it says from now on. A line with a masked value stays what it is where it is repeated as it was shown.
        if_match: The hash of what it said when it was read; the header If-Match says the same. Without it the note must be new.
        """
        return self._ask("PUT", "/v1/notes/{path}", {"path": path, "text": text, "ifMatch": if_match})

    def rename_note(
        self,
        path: str,
        to: str,
        if_match: str,
    ) -> RenameNoteAnswer:
        """Give a note another path; links to it follow.

        path: The note, relative to the workspace, such as memory/plans.md.
        to: Its new path, at which there is no note yet.
        if_match: The hash of what it said when it was read; the header If-Match says the same.
        """
        return self._ask("PATCH", "/v1/notes/{path}", {"path": path, "to": to, "ifMatch": if_match})

    def delete_note(
        self,
        path: str,
        if_match: str,
    ) -> DeleteNoteAnswer:
        """Remove a note that says what was read.

        path: The note, relative to the workspace, such as memory/plans.md.
        if_match: The hash of what it said when it was read; the header If-Match says the same.
        """
        return self._ask("DELETE", "/v1/notes/{path}", {"path": path, "ifMatch": if_match})

    def recall(
        self,
        query: Union[str, None] = None,
        *,
        k: Union[int, None] = None,
        min_salience: Union[float, None] = None,
        associative_depth: Union[int, None] = None,
        activation_decay: Union[float, None] = None,
        entities: Union[list[str], None] = None,
        kind: Union[Literal["W", "B", "O", "S"], None] = None,
        since: Union[str, None] = None,
        recent: Union[str, None] = None,
        as_of: Union[str, None] = None,
        budget: Union[int, None] = None,
        scorer: Union[Literal["gated", "additive"], None] = None,
        past: Union[bool, None] = None,
        include_untrusted: Union[bool, None] = None,
        debug: Union[bool, None] = None,
        explain: Union[bool, None] = None,
        no_touch: Union[bool, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> RecallAnswer:
        """Find facts that answer, and facts connected with those.

        query: The question, in your own words. May be empty if entities or a time are named.
        k: How many facts at most; 10 if it is not said.
        min_salience: Only facts that matter at least so much, 0 to 1.
        associative_depth: How many entities away connections may be, 0 to 3; as far as the question asks for if it is not said.
        activation_decay: What one step leaves of the activation, 0 to 1.
        entities: Only facts about one of these.
        kind: Only facts of this sort: W world, B experience, O opinion, S summary.
        since: Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
        recent: What came in on that day and after, the most salient first; needs no question. A question narrows it.
        as_of: What held on that day, instead of today.
        budget: How many tokens the facts may have together.
        scorer: How facts are put in order; gated if it is not said.
        past: Also what expired or was superseded.
        include_untrusted: Also what nobody trusts, wrapped and labelled.
        debug: Show which entities led where.
        explain: Say how each score came about.
        no_touch: Look without counting it as a use of the facts.
        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        """
        return self._ask("GET", "/v1/recall", {"query": query, "k": k, "minSalience": min_salience, "associativeDepth": associative_depth, "activationDecay": activation_decay, "entities": entities, "kind": kind, "since": since, "recent": recent, "asOf": as_of, "budget": budget, "scorer": scorer, "past": past, "includeUntrusted": include_untrusted, "debug": debug, "explain": explain, "noTouch": no_touch, "chatType": chat_type})

    def retain(
        self,
        text: str,
        *,
        kind: Union[Literal["W", "B", "O", "S"], None] = None,
        entities: Union[list[str], None] = None,
        salience: Union[float, None] = None,
        confidence: Union[float, None] = None,
        key: Union[str, None] = None,
        ttl: Union[str, None] = None,
        sensitivity: Union[Literal["low", "medium", "high"], None] = None,
        due: Union[str, None] = None,
        source: Union[str, None] = None,
        file: Union[str, None] = None,
        id: Union[str, None] = None,
        if_version: Union[int, None] = None,
        force: Union[bool, None] = None,
        confirm: Union[bool, None] = None,
    ) -> RetainAnswer:
        """Keep a fact: one line in today's note.

        text: The fact: one sentence that can be understood by itself.
        kind: W world fact, B experience, O opinion or preference, S summary. W if it is not said, O with a key.
        entities: Whom and what it is about, such as Sarah or slow-endpoint.
        salience: How much it matters, 0 to 1; estimated if it is not said.
        confidence: How sure it is, 0 to 1.
        key: Makes it the current value of this name, such as editor.theme.
        ttl: How long it holds: 180d, 2w, or a last day.
        sensitivity: Who may see it.
        due: The day on which the person is to be reminded of it: 2026-07-14.
        source: Where it comes from: kind:reference, such as chat:msg_9981.
        file: A memory file instead of today's note.
        id: Your own name for this fact: a second request with it writes nothing.
        if_version: Replace a keyed value only if it has this version; 0: only if there is none.
        force: Write it though the same is known.
        confirm: The person has confirmed the change of a keyed value.
        """
        return self._ask("POST", "/v1/facts", {"text": text, "kind": kind, "entities": entities, "salience": salience, "confidence": confidence, "key": key, "ttl": ttl, "sensitivity": sensitivity, "due": due, "source": source, "file": file, "id": id, "ifVersion": if_version, "force": force, "confirm": confirm})

    def list_facts(
        self,
        kind: Union[Literal["W", "B", "O", "S"], None] = None,
        *,
        entity: Union[str, None] = None,
        state: Union[Literal["current", "later", "expired", "superseded", "proposed"], None] = None,
        origin: Union[Literal["owner", "agent", "untrusted"], None] = None,
        key: Union[str, None] = None,
        text: Union[str, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        min_salience: Union[float, None] = None,
        order: Union[Literal["newest", "oldest", "salience", "use", "text"], None] = None,
        offset: Union[int, None] = None,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ListFactsAnswer:
        """List facts, filtered and in an order.

        kind: Only facts of this sort.
        entity: Only facts about it.
        state: Only facts in this state.
        origin: Only facts that are this one's word; all but untrusted ones if it is not said.
        key: Only values of this key.
        text: Only facts whose text holds this.
        since: Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
        until: Only facts of this day and before.
        min_salience: Only facts that matter at least so much, 0 to 1.
        order: What comes first; newest if it is not said.
        offset: How many to leave out at the beginning.
        limit: How many at most; 100 if it is not said.
        chat_type: Who reads along; direct if it is not said.
        """
        return self._ask("GET", "/v1/facts", {"kind": kind, "entity": entity, "state": state, "origin": origin, "key": key, "text": text, "since": since, "until": until, "minSalience": min_salience, "order": order, "offset": offset, "limit": limit, "chatType": chat_type})

    def reflect(
        self,
        max_tokens: Union[int, None] = None,
        *,
        dry_run: Union[bool, None] = None,
    ) -> ReflectAnswer:
        """Consolidate the facts that matter into MEMORY.md and bank/.

        max_tokens: How many tokens the core memory may have.
        dry_run: Say what would change, and change nothing.
        """
        return self._ask("POST", "/v1/reflect", {"maxTokens": max_tokens, "dryRun": dry_run})

    def undo_reflection(
        self,
    ) -> UndoReflectionAnswer:
        """Undo the last reflection."""
        return self._ask("POST", "/v1/reflect/undo", {})

    def forget(
        self,
        *,
        last: Union[str, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        entity: Union[str, None] = None,
        query: Union[str, None] = None,
        session: Union[str, None] = None,
        origin: Union[Literal["untrusted", "agent"], None] = None,
        dry_run: Union[bool, None] = None,
    ) -> ForgetAnswer:
        """Remove something from notes, conversations and index for good.

        last: The daily notes, facts and messages of the last days: 7d, 2w, 3mo.
        since: Those of this day and after.
        until: Those of this day and before.
        entity: Every fact that names it, and its page.
        query: Every line and sentence that has these words in this order.
        session: A conversation, and what was kept of it.
        origin: Everything that is untrusted, or everything that agents wrote.
        dry_run: Say what would go, and change nothing.
        """
        return self._ask("POST", "/v1/forget", {"last": last, "since": since, "until": until, "entity": entity, "query": query, "session": session, "origin": origin, "dryRun": dry_run})

    def context(
        self,
        session: Union[str, None] = None,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        context_window: Union[int, None] = None,
        minimal: Union[bool, None] = None,
    ) -> ContextAnswer:
        """Show what an agent would be given now.

        session: The conversation whose turns belong to it; none if it is not said.
        chat_type: Who reads along. In a group MEMORY.md is never given.
        context_window: The model's context window in tokens; 200,000 if it is not said.
        minimal: For a sub-agent: without the section about memory.
        """
        return self._ask("GET", "/v1/context", {"session": session, "chatType": chat_type, "contextWindow": context_window, "minimal": minimal})

    def list_sessions(
        self,
        limit: Union[int, None] = None,
    ) -> list[ListSessionsAnswerItem]:
        """List the conversations of the agent, the newest first.

        limit: How many at most; if it is not said, a person is shown 20, and JSON has all.
        """
        return self._ask("GET", "/v1/sessions", {"limit": limit})

    def read_session(
        self,
        id: str,
        *,
        full: Union[bool, None] = None,
        before: Union[int, None] = None,
        bytes: Union[int, None] = None,
    ) -> ReadSessionAnswer:
        """Show what was said.

        id: The session.
        full: Also what a compaction stands for, results of tools and hidden messages.
        before: Only what stands before this line.
        bytes: About so many bytes of text at most, of the last entries.
        """
        return self._ask("GET", "/v1/sessions/{id}", {"id": id, "full": full, "before": before, "bytes": bytes})

    def append_messages(
        self,
        id: str,
        messages: list[AppendMessagesMessage],
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        context_window: Union[int, None] = None,
    ) -> AppendMessagesAnswer:
        """Write down what was said: on the disk before this returns, and searchable.

        id: The session; it is begun if it is not there.
        messages: What was said, in order.
        chat_type: Who reads along.
        context_window: The model's context window in tokens.
        """
        return self._ask("POST", "/v1/sessions/{id}/messages", {"id": id, "messages": messages, "chatType": chat_type, "contextWindow": context_window})

    def candidates(
        self,
        id: str,
    ) -> list[AppendMessagesAnswerCandidate]:
        """Show what the rules found in it that may be worth keeping.

        id: The session.
        """
        return self._ask("GET", "/v1/sessions/{id}/candidates", {"id": id})

    def session_context(
        self,
        id: str,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        context_window: Union[int, None] = None,
        minimal: Union[bool, None] = None,
        no_tools: Union[bool, None] = None,
    ) -> ContextAnswer:
        """Show exactly what a model would be given next, with the tokens of each part.

        id: The session.
        chat_type: Who reads along; as sessions.json says if it is not said. In a group MEMORY.md is never given.
        context_window: The model's context window in tokens; 200,000 if it is not said.
        minimal: For a sub-agent: without the section about memory.
        no_tools: The model has no memory tools.
        """
        return self._ask("GET", "/v1/sessions/{id}/context", {"id": id, "chatType": chat_type, "contextWindow": context_window, "minimal": minimal, "noTools": no_tools})

    def flush_check(
        self,
        id: str,
        context_window: int,
        *,
        tokens: Union[int, None] = None,
        pending: Union[str, None] = None,
        heartbeat: Union[bool, None] = None,
        cli_provider: Union[bool, None] = None,
    ) -> FlushCheckAnswer:
        """Say whether memory must be flushed before the next turn.

        id: The session.
        context_window: The model's context window in tokens.
        tokens: What the provider counted for the last prompt.
        pending: The turn that is about to be sent, if it is not appended yet.
        heartbeat: The turn is a poll that keeps the agent alive.
        cli_provider: The provider is a command line that compacts by itself.
        """
        return self._ask("GET", "/v1/sessions/{id}/flush-check", {"id": id, "contextWindow": context_window, "tokens": tokens, "pending": pending, "heartbeat": heartbeat, "cliProvider": cli_provider})

    def flush(
        self,
        id: str,
    ) -> FlushAnswer:
        """Save what was said since the last flush to the day's note.

        id: The session.
        """
        return self._ask("POST", "/v1/sessions/{id}/flush", {"id": id})

    def compact(
        self,
        id: str,
        *,
        overflow: Union[bool, None] = None,
    ) -> CompactAnswer:
        """Flush, then replace older turns by a summary; they stay in the transcript.

        id: The session.
        overflow: The model refused the conversation as too long: keep less.
        """
        return self._ask("POST", "/v1/sessions/{id}/compact", {"id": id, "overflow": overflow})

    def inspect_fact(
        self,
        id: str,
        *,
        as_of: Union[str, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> InspectFactAnswer:
        """Show one fact with its state, its use and its history.

        id: The fact's id, or a key.
        as_of: What the key said on that day: 2026-07-14, or 30d before today.
        chat_type: Who reads along; direct if it is not said.
        """
        return self._ask("GET", "/v1/facts/{id}", {"id": id, "asOf": as_of, "chatType": chat_type})

    def edit_fact(
        self,
        id: str,
        text: str,
    ) -> EditFactAnswer:
        """Reword a fact, or change who it is attributed to.

        id: The fact's id, or a key.
        text: What it says from now on.
        """
        return self._ask("PATCH", "/v1/facts/{id}", {"id": id, "text": text})

    def delete_fact(
        self,
        id: str,
        *,
        dry_run: Union[bool, None] = None,
    ) -> ForgetAnswer:
        """Forget one fact everywhere.

        id: The fact's id, or a key with all its values.
        dry_run: Say what would go, and change nothing.
        """
        return self._ask("DELETE", "/v1/facts/{id}", {"id": id, "dryRun": dry_run})

    def diff_facts(
        self,
        span: str,
        *,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> DiffFactsAnswer:
        """Tell which facts came, changed and ended in some days.

        span: The days, both ends among them: 2026-07-01..2026-08-01. Without an end, up to today: 7d, or 2026-07-01.
        limit: How many at most of those that came, of those that changed and so on, the last ones; all if it is not said.
        chat_type: Who reads along; direct if it is not said.
        """
        return self._ask("GET", "/v1/diff", {"span": span, "limit": limit, "chatType": chat_type})

    def blame_note(
        self,
        path: str,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> BlameNoteAnswer:
        """Show who said each fact of a note, by which door, in which conversation and when.

        path: The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        """
        return self._ask("GET", "/v1/blame/{path}", {"path": path, "chatType": chat_type})

    def list_disagreements(
        self,
        limit: Union[int, None] = None,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ListDisagreementsAnswer:
        """List facts that do not agree, for somebody to settle.

        limit: How many at most, the newest; all if it is not said.
        chat_type: Who reads along; direct if it is not said.
        """
        return self._ask("GET", "/v1/disagreements", {"limit": limit, "chatType": chat_type})

    def settle_facts(
        self,
        holds: str,
        other: str,
        *,
        both: Union[bool, None] = None,
    ) -> SettleFactsAnswer:
        """Say which of two facts holds, or that both do.

        holds: The id of the fact that holds.
        other: The id of the one that does not agree with it. It is past from now on, and stays in its note.
        both: Both hold: they are not asked about again.
        """
        return self._ask("POST", "/v1/settle", {"holds": holds, "other": other, "both": both})

    def list_entities(
        self,
    ) -> list[ListEntitiesAnswerItem]:
        """List the people and things that facts mention."""
        return self._ask("GET", "/v1/entities", {})

    def read_entity(
        self,
        name: str,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadEntityAnswer:
        """Show one entity with its facts and neighbours.

        name: Any of its names.
        chat_type: Who reads along; direct if it is not said.
        """
        return self._ask("GET", "/v1/entities/{name}", {"name": name, "chatType": chat_type})

    def read_graph(
        self,
        as_of: Union[str, None] = None,
        *,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadGraphAnswer:
        """Show the strongest entities and what connects them.

        as_of: What held on that day, instead of today.
        limit: How many entities at most, the most frequent first.
        chat_type: Who reads along; direct if it is not said.
        """
        return self._ask("GET", "/v1/graph", {"asOf": as_of, "limit": limit, "chatType": chat_type})

    def list_notes(
        self,
        prefix: Union[str, None] = None,
        *,
        folder: Union[str, None] = None,
        text: Union[str, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        newest: Union[bool, None] = None,
        titles: Union[bool, None] = None,
        offset: Union[int, None] = None,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ListNotesAnswer:
        """List the memory files.

        prefix: Only paths that begin so.
        folder: Only notes of this folder itself, daily notes left out; "." is the workspace.
        text: Only paths that hold this, in any case.
        since: Only daily notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
        until: Only daily notes of this day and before.
        newest: The last changed first, instead of by path.
        titles: Say what each is called; at most 200 at a time.
        offset: How many to leave out at the beginning.
        limit: How many at most; all if it is not said.
        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        """
        return self._ask("GET", "/v1/notes", {"prefix": prefix, "folder": folder, "text": text, "since": since, "until": until, "newest": newest, "titles": titles, "offset": offset, "limit": limit, "chatType": chat_type})

    def outline_notes(
        self,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> OutlineNotesAnswer:
        """Count the memory files by folder and by month.

        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        """
        return self._ask("GET", "/v1/outline", {"chatType": chat_type})

    def read_blocks(
        self,
        path: str,
        *,
        from_: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadBlocksAnswer:
        """Read a note as headings, paragraphs, items and facts.

        path: The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
        from_: The first line, counted from 1.
        chat_type: Who reads along; direct if it is not said. In a group MEMORY.md is never given.
        """
        return self._ask("GET", "/v1/blocks/{path}", {"path": path, "from": from_, "chatType": chat_type})

    def preview_blocks(
        self,
        text: str,
    ) -> ReadBlocksAnswer:
        """Read a text as a note would be read; it is kept nowhere.

        text: The text that a note may come to have.
        """
        return self._ask("POST", "/v1/blocks", {"text": text})

    def memory_tool(
        self,
        command: Literal["view", "create", "str_replace", "insert", "delete", "rename"],
        *,
        path: Union[str, None] = None,
        view_range: Union[list[int], None] = None,
        file_text: Union[str, None] = None,
        old_str: Union[str, None] = None,
        new_str: Union[str, None] = None,
        insert_line: Union[int, None] = None,
        insert_text: Union[str, None] = None,
        old_path: Union[str, None] = None,
        new_path: Union[str, None] = None,
    ) -> MemoryToolAnswer:
        """Carry out a command of Anthropic's memory tool, as JSON on standard input.

        command: What to do: view, create, str_replace, insert, delete or rename.
        path: The file or folder below /memories.
        view_range: view: the first line and the last, -1 for all that follow.
        file_text: create: what the file says.
        old_str: str_replace: what stands there, once.
        new_str: str_replace: what stands there afterwards.
        insert_line: insert: the line after which it is put, 0 for the beginning.
        insert_text: insert: the text.
        old_path: rename: the path it has.
        new_path: rename: the path it gets.
        """
        return self._ask("POST", "/v1/tools/memory", {"command": command, "path": path, "view_range": view_range, "file_text": file_text, "old_str": old_str, "new_str": new_str, "insert_line": insert_line, "insert_text": insert_text, "old_path": old_path, "new_path": new_path})

    def status(
        self,
        deep: Union[bool, None] = None,
    ) -> list[StatusAnswerItem]:
        """Show what is indexed, and how.

        deep: Compare every note with the index.
        """
        return self._ask("GET", "/v1/status", {"deep": deep})

    def doctor(
        self,
    ) -> DoctorAnswer:
        """Check notes, index, settings and disk."""
        return self._ask("GET", "/v1/doctor", {})

    def index_state(
        self,
    ) -> IndexStateAnswer:
        """Say whether the index is being brought up to date."""
        return self._ask("GET", "/v1/index", {})

    def start_index(
        self,
        force: Union[bool, None] = None,
    ) -> IndexStateAnswer:
        """Begin to bring the index up to date; /v1/events tells how far it is.

        force: Make the index again from the notes, beside the one in use, and put it in its place.
        """
        return self._ask("POST", "/v1/index", {"force": force})

    def embeddings(
        self,
        input: Union[str, list[str]],
        *,
        model: Union[str, None] = None,
        encoding_format: Union[Union[Literal["float"], str], None] = None,
        dimensions: Union[int, None] = None,
        user: Union[str, None] = None,
    ) -> EmbeddingsAnswer:
        """Make vectors with the model inside the program.

        input: One text, or several.
        model: Any name: the model inside the program answers.
        encoding_format: How numbers are written.
        dimensions: Only what the model has.
        """
        return self._ask("POST", "/v1/embeddings", {"input": input, "model": model, "encoding_format": encoding_format, "dimensions": dimensions, "user": user})

    def given(
        self,
        session: Union[str, None] = None,
        *,
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
    ) -> GivenAnswer:
        """Show what models were given of the memory, with the tokens of each place.

        session: Only in this session; in all if it is not said.
        limit: How many of the last times.
        offset: How many of the last times to leave out.
        """
        return self._ask("GET", "/v1/given", {"session": session, "limit": limit, "offset": offset})

    def audit(
        self,
        since: Union[str, None] = None,
        *,
        limit: Union[int, None] = None,
    ) -> list[AuditAnswerItem]:
        """Show who wrote what, and who saw what is sensitive.

        since: Only entries of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
        limit: How many of the last entries.
        """
        return self._ask("GET", "/v1/audit", {"since": since, "limit": limit})

    def verify_audit(
        self,
        anchor: Union[str, None] = None,
    ) -> VerifyAuditAnswer:
        """Check that every entry of the audit log is as it was written.

        anchor: A head that was kept elsewhere, as an earlier check gave it.
        """
        return self._ask("GET", "/v1/audit/verify", {"anchor": anchor})

    def policy(
        self,
    ) -> PolicyAnswer:
        """Show every rule of what may be stored, with its class."""
        return self._ask("GET", "/v1/policy", {})

    def check_policy(
        self,
        text: str,
    ) -> CheckPolicyAnswer:
        """Say what the policy finds in a text, and what would happen to it; a value is never printed.

        text: The text to judge; it is kept nowhere.
        """
        return self._ask("POST", "/v1/policy/check", {"text": text})


class AsyncOperations:
    """The same, awaited; Operations says what each field means."""

    async def _ask(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def lookup(
        self,
        query: str,
        *,
        max_results: Union[int, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> LookupAnswer:
        """Find facts and passages in one short answer, for a model."""
        return await self._ask("GET", "/v1/lookup", {"query": query, "maxResults": max_results, "since": since, "until": until, "chatType": chat_type})

    async def search(
        self,
        query: str,
        *,
        max_results: Union[int, None] = None,
        min_score: Union[float, None] = None,
        mode: Union[Literal["hybrid", "keyword", "vector"], None] = None,
        source: Union[Literal["memory", "sessions"], None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        as_of: Union[str, None] = None,
        past: Union[bool, None] = None,
        include_untrusted: Union[bool, None] = None,
        explain: Union[bool, None] = None,
        marks: Union[bool, None] = None,
        why_not: Union[str, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        session_key: Union[str, None] = None,
    ) -> SearchAnswer:
        """Find passages of notes by words and by meaning."""
        return await self._ask("GET", "/v1/search", {"query": query, "maxResults": max_results, "minScore": min_score, "mode": mode, "source": source, "since": since, "until": until, "asOf": as_of, "past": past, "includeUntrusted": include_untrusted, "explain": explain, "marks": marks, "whyNot": why_not, "chatType": chat_type, "sessionKey": session_key})

    async def read_note(
        self,
        path: str,
        *,
        from_: Union[int, None] = None,
        byte: Union[int, None] = None,
        lines: Union[int, None] = None,
        raw: Union[bool, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadNoteAnswer:
        """Print exact lines of a note."""
        return await self._ask("GET", "/v1/notes/{path}", {"path": path, "from": from_, "byte": byte, "lines": lines, "raw": raw, "chatType": chat_type})

    async def put_note(
        self,
        path: str,
        text: str,
        *,
        if_match: Union[str, None] = None,
    ) -> PutNoteAnswer:
        """Write a whole note, new or in the place of the text that was read."""
        return await self._ask("PUT", "/v1/notes/{path}", {"path": path, "text": text, "ifMatch": if_match})

    async def rename_note(
        self,
        path: str,
        to: str,
        if_match: str,
    ) -> RenameNoteAnswer:
        """Give a note another path; links to it follow."""
        return await self._ask("PATCH", "/v1/notes/{path}", {"path": path, "to": to, "ifMatch": if_match})

    async def delete_note(
        self,
        path: str,
        if_match: str,
    ) -> DeleteNoteAnswer:
        """Remove a note that says what was read."""
        return await self._ask("DELETE", "/v1/notes/{path}", {"path": path, "ifMatch": if_match})

    async def recall(
        self,
        query: Union[str, None] = None,
        *,
        k: Union[int, None] = None,
        min_salience: Union[float, None] = None,
        associative_depth: Union[int, None] = None,
        activation_decay: Union[float, None] = None,
        entities: Union[list[str], None] = None,
        kind: Union[Literal["W", "B", "O", "S"], None] = None,
        since: Union[str, None] = None,
        recent: Union[str, None] = None,
        as_of: Union[str, None] = None,
        budget: Union[int, None] = None,
        scorer: Union[Literal["gated", "additive"], None] = None,
        past: Union[bool, None] = None,
        include_untrusted: Union[bool, None] = None,
        debug: Union[bool, None] = None,
        explain: Union[bool, None] = None,
        no_touch: Union[bool, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> RecallAnswer:
        """Find facts that answer, and facts connected with those."""
        return await self._ask("GET", "/v1/recall", {"query": query, "k": k, "minSalience": min_salience, "associativeDepth": associative_depth, "activationDecay": activation_decay, "entities": entities, "kind": kind, "since": since, "recent": recent, "asOf": as_of, "budget": budget, "scorer": scorer, "past": past, "includeUntrusted": include_untrusted, "debug": debug, "explain": explain, "noTouch": no_touch, "chatType": chat_type})

    async def retain(
        self,
        text: str,
        *,
        kind: Union[Literal["W", "B", "O", "S"], None] = None,
        entities: Union[list[str], None] = None,
        salience: Union[float, None] = None,
        confidence: Union[float, None] = None,
        key: Union[str, None] = None,
        ttl: Union[str, None] = None,
        sensitivity: Union[Literal["low", "medium", "high"], None] = None,
        due: Union[str, None] = None,
        source: Union[str, None] = None,
        file: Union[str, None] = None,
        id: Union[str, None] = None,
        if_version: Union[int, None] = None,
        force: Union[bool, None] = None,
        confirm: Union[bool, None] = None,
    ) -> RetainAnswer:
        """Keep a fact: one line in today's note."""
        return await self._ask("POST", "/v1/facts", {"text": text, "kind": kind, "entities": entities, "salience": salience, "confidence": confidence, "key": key, "ttl": ttl, "sensitivity": sensitivity, "due": due, "source": source, "file": file, "id": id, "ifVersion": if_version, "force": force, "confirm": confirm})

    async def list_facts(
        self,
        kind: Union[Literal["W", "B", "O", "S"], None] = None,
        *,
        entity: Union[str, None] = None,
        state: Union[Literal["current", "later", "expired", "superseded", "proposed"], None] = None,
        origin: Union[Literal["owner", "agent", "untrusted"], None] = None,
        key: Union[str, None] = None,
        text: Union[str, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        min_salience: Union[float, None] = None,
        order: Union[Literal["newest", "oldest", "salience", "use", "text"], None] = None,
        offset: Union[int, None] = None,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ListFactsAnswer:
        """List facts, filtered and in an order."""
        return await self._ask("GET", "/v1/facts", {"kind": kind, "entity": entity, "state": state, "origin": origin, "key": key, "text": text, "since": since, "until": until, "minSalience": min_salience, "order": order, "offset": offset, "limit": limit, "chatType": chat_type})

    async def reflect(
        self,
        max_tokens: Union[int, None] = None,
        *,
        dry_run: Union[bool, None] = None,
    ) -> ReflectAnswer:
        """Consolidate the facts that matter into MEMORY.md and bank/."""
        return await self._ask("POST", "/v1/reflect", {"maxTokens": max_tokens, "dryRun": dry_run})

    async def undo_reflection(
        self,
    ) -> UndoReflectionAnswer:
        """Undo the last reflection."""
        return await self._ask("POST", "/v1/reflect/undo", {})

    async def forget(
        self,
        *,
        last: Union[str, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        entity: Union[str, None] = None,
        query: Union[str, None] = None,
        session: Union[str, None] = None,
        origin: Union[Literal["untrusted", "agent"], None] = None,
        dry_run: Union[bool, None] = None,
    ) -> ForgetAnswer:
        """Remove something from notes, conversations and index for good."""
        return await self._ask("POST", "/v1/forget", {"last": last, "since": since, "until": until, "entity": entity, "query": query, "session": session, "origin": origin, "dryRun": dry_run})

    async def context(
        self,
        session: Union[str, None] = None,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        context_window: Union[int, None] = None,
        minimal: Union[bool, None] = None,
    ) -> ContextAnswer:
        """Show what an agent would be given now."""
        return await self._ask("GET", "/v1/context", {"session": session, "chatType": chat_type, "contextWindow": context_window, "minimal": minimal})

    async def list_sessions(
        self,
        limit: Union[int, None] = None,
    ) -> list[ListSessionsAnswerItem]:
        """List the conversations of the agent, the newest first."""
        return await self._ask("GET", "/v1/sessions", {"limit": limit})

    async def read_session(
        self,
        id: str,
        *,
        full: Union[bool, None] = None,
        before: Union[int, None] = None,
        bytes: Union[int, None] = None,
    ) -> ReadSessionAnswer:
        """Show what was said."""
        return await self._ask("GET", "/v1/sessions/{id}", {"id": id, "full": full, "before": before, "bytes": bytes})

    async def append_messages(
        self,
        id: str,
        messages: list[AppendMessagesMessage],
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        context_window: Union[int, None] = None,
    ) -> AppendMessagesAnswer:
        """Write down what was said: on the disk before this returns, and searchable."""
        return await self._ask("POST", "/v1/sessions/{id}/messages", {"id": id, "messages": messages, "chatType": chat_type, "contextWindow": context_window})

    async def candidates(
        self,
        id: str,
    ) -> list[AppendMessagesAnswerCandidate]:
        """Show what the rules found in it that may be worth keeping."""
        return await self._ask("GET", "/v1/sessions/{id}/candidates", {"id": id})

    async def session_context(
        self,
        id: str,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
        context_window: Union[int, None] = None,
        minimal: Union[bool, None] = None,
        no_tools: Union[bool, None] = None,
    ) -> ContextAnswer:
        """Show exactly what a model would be given next, with the tokens of each part."""
        return await self._ask("GET", "/v1/sessions/{id}/context", {"id": id, "chatType": chat_type, "contextWindow": context_window, "minimal": minimal, "noTools": no_tools})

    async def flush_check(
        self,
        id: str,
        context_window: int,
        *,
        tokens: Union[int, None] = None,
        pending: Union[str, None] = None,
        heartbeat: Union[bool, None] = None,
        cli_provider: Union[bool, None] = None,
    ) -> FlushCheckAnswer:
        """Say whether memory must be flushed before the next turn."""
        return await self._ask("GET", "/v1/sessions/{id}/flush-check", {"id": id, "contextWindow": context_window, "tokens": tokens, "pending": pending, "heartbeat": heartbeat, "cliProvider": cli_provider})

    async def flush(
        self,
        id: str,
    ) -> FlushAnswer:
        """Save what was said since the last flush to the day's note."""
        return await self._ask("POST", "/v1/sessions/{id}/flush", {"id": id})

    async def compact(
        self,
        id: str,
        *,
        overflow: Union[bool, None] = None,
    ) -> CompactAnswer:
        """Flush, then replace older turns by a summary; they stay in the transcript."""
        return await self._ask("POST", "/v1/sessions/{id}/compact", {"id": id, "overflow": overflow})

    async def inspect_fact(
        self,
        id: str,
        *,
        as_of: Union[str, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> InspectFactAnswer:
        """Show one fact with its state, its use and its history."""
        return await self._ask("GET", "/v1/facts/{id}", {"id": id, "asOf": as_of, "chatType": chat_type})

    async def edit_fact(
        self,
        id: str,
        text: str,
    ) -> EditFactAnswer:
        """Reword a fact, or change who it is attributed to."""
        return await self._ask("PATCH", "/v1/facts/{id}", {"id": id, "text": text})

    async def delete_fact(
        self,
        id: str,
        *,
        dry_run: Union[bool, None] = None,
    ) -> ForgetAnswer:
        """Forget one fact everywhere."""
        return await self._ask("DELETE", "/v1/facts/{id}", {"id": id, "dryRun": dry_run})

    async def diff_facts(
        self,
        span: str,
        *,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> DiffFactsAnswer:
        """Tell which facts came, changed and ended in some days."""
        return await self._ask("GET", "/v1/diff", {"span": span, "limit": limit, "chatType": chat_type})

    async def blame_note(
        self,
        path: str,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> BlameNoteAnswer:
        """Show who said each fact of a note, by which door, in which conversation and when."""
        return await self._ask("GET", "/v1/blame/{path}", {"path": path, "chatType": chat_type})

    async def list_disagreements(
        self,
        limit: Union[int, None] = None,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ListDisagreementsAnswer:
        """List facts that do not agree, for somebody to settle."""
        return await self._ask("GET", "/v1/disagreements", {"limit": limit, "chatType": chat_type})

    async def settle_facts(
        self,
        holds: str,
        other: str,
        *,
        both: Union[bool, None] = None,
    ) -> SettleFactsAnswer:
        """Say which of two facts holds, or that both do."""
        return await self._ask("POST", "/v1/settle", {"holds": holds, "other": other, "both": both})

    async def list_entities(
        self,
    ) -> list[ListEntitiesAnswerItem]:
        """List the people and things that facts mention."""
        return await self._ask("GET", "/v1/entities", {})

    async def read_entity(
        self,
        name: str,
        *,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadEntityAnswer:
        """Show one entity with its facts and neighbours."""
        return await self._ask("GET", "/v1/entities/{name}", {"name": name, "chatType": chat_type})

    async def read_graph(
        self,
        as_of: Union[str, None] = None,
        *,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadGraphAnswer:
        """Show the strongest entities and what connects them."""
        return await self._ask("GET", "/v1/graph", {"asOf": as_of, "limit": limit, "chatType": chat_type})

    async def list_notes(
        self,
        prefix: Union[str, None] = None,
        *,
        folder: Union[str, None] = None,
        text: Union[str, None] = None,
        since: Union[str, None] = None,
        until: Union[str, None] = None,
        newest: Union[bool, None] = None,
        titles: Union[bool, None] = None,
        offset: Union[int, None] = None,
        limit: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ListNotesAnswer:
        """List the memory files."""
        return await self._ask("GET", "/v1/notes", {"prefix": prefix, "folder": folder, "text": text, "since": since, "until": until, "newest": newest, "titles": titles, "offset": offset, "limit": limit, "chatType": chat_type})

    async def outline_notes(
        self,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> OutlineNotesAnswer:
        """Count the memory files by folder and by month."""
        return await self._ask("GET", "/v1/outline", {"chatType": chat_type})

    async def read_blocks(
        self,
        path: str,
        *,
        from_: Union[int, None] = None,
        chat_type: Union[Literal["direct", "group", "channel", "room"], None] = None,
    ) -> ReadBlocksAnswer:
        """Read a note as headings, paragraphs, items and facts."""
        return await self._ask("GET", "/v1/blocks/{path}", {"path": path, "from": from_, "chatType": chat_type})

    async def preview_blocks(
        self,
        text: str,
    ) -> ReadBlocksAnswer:
        """Read a text as a note would be read; it is kept nowhere."""
        return await self._ask("POST", "/v1/blocks", {"text": text})

    async def memory_tool(
        self,
        command: Literal["view", "create", "str_replace", "insert", "delete", "rename"],
        *,
        path: Union[str, None] = None,
        view_range: Union[list[int], None] = None,
        file_text: Union[str, None] = None,
        old_str: Union[str, None] = None,
        new_str: Union[str, None] = None,
        insert_line: Union[int, None] = None,
        insert_text: Union[str, None] = None,
        old_path: Union[str, None] = None,
        new_path: Union[str, None] = None,
    ) -> MemoryToolAnswer:
        """Carry out a command of Anthropic's memory tool, as JSON on standard input."""
        return await self._ask("POST", "/v1/tools/memory", {"command": command, "path": path, "view_range": view_range, "file_text": file_text, "old_str": old_str, "new_str": new_str, "insert_line": insert_line, "insert_text": insert_text, "old_path": old_path, "new_path": new_path})

    async def status(
        self,
        deep: Union[bool, None] = None,
    ) -> list[StatusAnswerItem]:
        """Show what is indexed, and how."""
        return await self._ask("GET", "/v1/status", {"deep": deep})

    async def doctor(
        self,
    ) -> DoctorAnswer:
        """Check notes, index, settings and disk."""
        return await self._ask("GET", "/v1/doctor", {})

    async def index_state(
        self,
    ) -> IndexStateAnswer:
        """Say whether the index is being brought up to date."""
        return await self._ask("GET", "/v1/index", {})

    async def start_index(
        self,
        force: Union[bool, None] = None,
    ) -> IndexStateAnswer:
        """Begin to bring the index up to date; /v1/events tells how far it is."""
        return await self._ask("POST", "/v1/index", {"force": force})

    async def embeddings(
        self,
        input: Union[str, list[str]],
        *,
        model: Union[str, None] = None,
        encoding_format: Union[Union[Literal["float"], str], None] = None,
        dimensions: Union[int, None] = None,
        user: Union[str, None] = None,
    ) -> EmbeddingsAnswer:
        """Make vectors with the model inside the program."""
        return await self._ask("POST", "/v1/embeddings", {"input": input, "model": model, "encoding_format": encoding_format, "dimensions": dimensions, "user": user})

    async def given(
        self,
        session: Union[str, None] = None,
        *,
        limit: Union[int, None] = None,
        offset: Union[int, None] = None,
    ) -> GivenAnswer:
        """Show what models were given of the memory, with the tokens of each place."""
        return await self._ask("GET", "/v1/given", {"session": session, "limit": limit, "offset": offset})

    async def audit(
        self,
        since: Union[str, None] = None,
        *,
        limit: Union[int, None] = None,
    ) -> list[AuditAnswerItem]:
        """Show who wrote what, and who saw what is sensitive."""
        return await self._ask("GET", "/v1/audit", {"since": since, "limit": limit})

    async def verify_audit(
        self,
        anchor: Union[str, None] = None,
    ) -> VerifyAuditAnswer:
        """Check that every entry of the audit log is as it was written."""
        return await self._ask("GET", "/v1/audit/verify", {"anchor": anchor})

    async def policy(
        self,
    ) -> PolicyAnswer:
        """Show every rule of what may be stored, with its class."""
        return await self._ask("GET", "/v1/policy", {})

    async def check_policy(
        self,
        text: str,
    ) -> CheckPolicyAnswer:
        """Say what the policy finds in a text, and what would happen to it; a value is never printed."""
        return await self._ask("POST", "/v1/policy/check", {"text": text})
