import { formatDuration, formatSpan } from '@/lib/platform/format/duration';

/** A compared value as it is read: `ageSeconds` and 7200 is "age: 2h". */
export function comparedText(name: string, value: unknown): string {
  const unit =
    typeof value === 'number' ? UNITS.find(({ suffix }) => suffix.test(name)) : undefined;
  if (unit && typeof value === 'number') return `${factWords(name)}: ${unit.format(value)}`;
  return `${factWords(name)}: ${valueText(name, value)}`;
}

const UNITS: { suffix: RegExp; format: (amount: number) => string }[] = [
  { suffix: /Seconds$/, format: formatSpan },
  { suffix: /Ms$/, format: formatDuration },
  { suffix: /Bytes$/, format: (bytes) => `${Number((bytes / 1_000_000).toFixed(1))} MB` },
];

/** Facts of decisions by the names that people use. */
const NAMES: Record<string, string> = {
  problem: 'incomplete or malformed facts',
  denied: 'denied by policy',
  attemptNumber: 'attempt',
  maxAttempts: 'attempts allowed',
  cliVersion: 'CLI version here',
  parentCliVersion: 'CLI version that held it',
  deniedByInstallation: 'versions denied by the installation',
  deniedByOrganization: 'versions denied by the organization',
  purpose: 'purpose of the start',
  hasPredecessor: 'earlier session exists',
  outstandingCalls: 'calls without a result',
  unknownCalls: 'calls with an unknown effect',
  changingCalls: 'state-changing calls',
  isAcknowledged: 'acknowledged by a person',
  forceFresh: 'fresh start requested',
  edgeMode: 'configured mode',
  canResume: 'CLI can resume',
  hasPointer: 'conversation recorded',
  hasId: 'conversation id known',
  isConfirmed: 'conversation confirmed',
  retiredFor: 'given up',
  failures: 'failed resumes',
  maxFailures: 'failed resumes allowed',
  depth: 'times resumed',
  maxDepth: 'times allowed',
  hasEnded: 'session that held it has ended',
  waitLeftMs: 'time left to wait',
  waitLeft: 'time left to wait',
  isTiers: 'held by a tier',
  isTurns: 'held by a question',
  isHead: 'newest conversation',
  parentTier: 'tier that held it',
  hasFallenBack: 'fell back to the handoff before',
  hasContinued: 'continued before',
  epoch: 'history version expected',
  parentEpoch: 'history version it holds',
  historyEpoch: 'edits expected',
  parentHistoryEpoch: 'edits it holds',
  ttlSeconds: 'maximum age',
  isOwnerReachable: 'its host is reachable',
  isOwnerProven: 'its host has passed the canary',
  canOwnerConfine: 'its host can confine it',
  seal: 'sealed copy',
  ownerCliVersion: 'CLI version on its host',
  isOwnerCliDenied: 'that CLI version is denied',
  transcriptBytes: 'transcript size',
  maxTranscriptBytes: 'largest transcript allowed',
  sameAccount: 'same provider account',
  sameFingerprint: 'same CLI installation',
  parentModel: 'model that held it',
  model: 'model to continue it',
  edge: 'these two models',
  unprovenEdges: 'untested pairs of models',
  isTainted: 'holds text of other systems',
  isHigher: 'a higher tier continues it',
  taintedConversation: 'tainted conversations',
  usedTokens: 'context in use',
  cumulativeTokens: 'tokens in all requests',
  windowTokens: 'context window',
  isWindowKnown: 'context window is known',
  share: 'share in use',
  threshold: 'resume limit',
  thresholdSource: 'limit set by',
  rereadTokens: 'tokens to read again',
  maxRereadTokens: 'tokens allowed',
  end: 'process ended as',
  checks: 'check results',
  contextTokens: 'context in use',
  holdsFence: 'claim still valid',
  sameInode: 'same work directory on disk',
};

/** Values that are codes, by the fact that has them. */
const VALUES: Record<string, Record<string, string>> = {
  seal: {
    usable: 'kept',
    expected: 'on its way',
    none: 'none',
    refused: 'not sent by its runner',
    expired: 'expired',
    differs: 'of another content',
    unusable: 'damaged or missing',
    unsupported: 'this runner is too old for it',
  },
  edge: { same: 'the same', proven: 'tested together', unproven: 'not tested together' },
  taintedConversation: { handoff: 'start from the handoff', resume: 'resume anyway' },
  unprovenEdges: { handoff: 'start from the handoff', resume: 'resume anyway' },
};

/** What a missing value says, by the fact; of others it is a dash. */
const ABSENT: Record<string, string> = { problem: 'none', retiredFor: 'no' };

/** The name of a fact as it is read; one without a name of its own is split into its words. */
export function factWords(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? name;
  return name
    .replace(/(Seconds|Ms|Bytes)$/, '')
    .replace(/^(is|has)(?=[A-Z])/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined) return ABSENT[name] ?? '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (/^(share|threshold)$/.test(name)) return `${Number((value * 100).toFixed(1))}%`;
    return value.toLocaleString('en');
  }
  if (typeof value === 'string') {
    return value === '' ? '—' : (VALUES[name]?.[value] ?? value.replaceAll('_', ' '));
  }
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
