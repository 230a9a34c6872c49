/** The end of an attempt of tier 1 that completed with a healthy report, and changes of it. */
import type { EndFacts } from '@/lib/engine/ending/end-plan';
import type { SettlementFacts } from '@/lib/engine/kinds/tier/settle/facts';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { InitEvent, ResultEvent, RunnerEvent } from '@/lib/protocol/events';
import type { TierReport } from '@/lib/protocol/report';
import type { AttemptResult } from '@/lib/protocol/schema';
import type { StartSpec } from '@/lib/protocol/spec';

export const SETTLED_AT = new Date('2026-11-21T14:00:00Z');
const OWN_ID = '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b';
export const PARENT_ID = 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d';
const MODEL = 'claude-haiku-4-5-20251001';

export const HEALTHY: TierReport = {
  summary: 'All healthy.',
  services_checked: [{ name: 'web', status: 'healthy', detail: '' }],
  findings: [],
  escalation: { wanted: false, reason: '', services: [] },
  actions_taken: [],
};

export const BROKEN: TierReport = {
  ...HEALTHY,
  summary: 'web is down.',
  services_checked: [{ name: 'web', status: 'down', detail: 'refused' }],
  escalation: { wanted: true, reason: 'It is down.', services: ['web'] },
};

export const INIT: InitEvent = {
  kind: 'init',
  cliSessionId: OWN_ID,
  cliVersion: '2.1.330',
  model: MODEL,
  tools: [],
  mcpServers: [],
  permissionMode: 'dontAsk',
  cwd: '/srv/work',
};

export function resultEvent(changes: Partial<ResultEvent> = {}): ResultEvent {
  return {
    kind: 'result',
    subtype: 'success',
    isError: false,
    apiErrorStatus: null,
    terminalReason: 'completed',
    stopReason: 'end_turn',
    cliSessionId: OWN_ID,
    numTurns: 1,
    durationMs: 100,
    durationApiMs: 50,
    totalCostUsd: 0.03,
    modelUsage: {
      [MODEL]: {
        inputTokens: 1_000,
        outputTokens: 200,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        costUsd: 0.03,
        contextWindow: 200_000,
      },
    },
    text: 'done',
    errors: [],
    structuredOutput: HEALTHY,
    permissionDenials: [],
    ...changes,
  };
}

/** What an attempt sent that ended with this report. */
export function reported(report: TierReport): RunnerEvent[] {
  return [INIT, resultEvent({ structuredOutput: report })];
}

export const START: StartSpec = {
  harness: 'claude',
  tier: 1,
  purpose: 'tier',
  model: 'haiku',
  cliSessionId: OWN_ID,
  continuation: { mode: 'fresh' },
  prompt: 'Look.',
  systemPrompt: 'You are tier 1.',
  tools: [],
  allowedRules: [],
  disallowedRules: [],
  reportSchema: {},
  limits: { timeoutSeconds: 300, stallSeconds: 180, maxTurns: 40, maxBudgetUsd: 0.5 },
  writesHandoffFile: false,
  questionWaitSeconds: null,
  isolation: 'off',
  commands: null,
  agent: null,
  checkpoints: null,
  recovery: null,
};

export const RESUMING: StartSpec = {
  ...START,
  continuation: {
    mode: 'resume',
    parentCliSessionId: PARENT_ID,
    workDirInode: null,
    transcript: null,
  },
};

export const RESULT: AttemptResult = {
  protocol: 1,
  fence: 1,
  lastSeq: 2,
  startedAt: '2026-11-21T13:59:00.000Z',
  endedAt: '2026-11-21T14:00:00.000Z',
  startError: null,
  exit: { code: 0, signal: null },
  stopCause: null,
  stderrTail: '',
  transcriptSeen: true,
  transcript: null,
  handoffFile: { state: 'not_expected' },
  leftoversKilled: 0,
};

export const END_FACTS: EndFacts = {
  attempt: { start: START, isLate: false },
  runnerName: 'eu-1',
  result: RESULT,
  events: reported(HEALTHY),
  parent: null,
};

const [first, second, third] = DEFAULT_CONFIG.tiers;

export const CONFIG: ProjectConfig = {
  ...DEFAULT_CONFIG,
  maxTier: 3,
  tiers: [first, { ...second, isEnabled: true }, { ...third, isEnabled: true }],
  services: [{ name: 'web', checks: [] }],
};

const FACTS: SettlementFacts = {
  ...END_FACTS,
  projectName: 'Checkout',
  chain: { isDryRun: false, isStopRequested: false },
  session: { tier: 1, model: 'haiku' },
  attempt: {
    ...END_FACTS.attempt,
    purpose: 'tier',
    onlyMode: null,
    startMode: 'fresh',
    isContinuation: false,
    isReported: true,
  },
  earlier: [],
  earlierChecks: [],
  evidence: {
    failedBefore: [],
    signals: { firing: [], reported: [], isUnnamedFiring: false, isUnnamedReported: false },
  },
  previousHandoff: null,
  checkpoint: null,
  frozen: CONFIG,
  live: CONFIG,
  pauses: [],
  snoozes: [],
  acknowledgements: [],
  maintenance: null,
  actions: [],
  spending: { chainMicros: 0, dayMicros: 0, monthMicros: 0 },
  isDryRunForced: false,
  pendingUntil: null,
  refused: null,
};

export interface SettlementChange
  extends Partial<
    Omit<SettlementFacts, 'chain' | 'session' | 'attempt' | 'result' | 'frozen' | 'live'>
  > {
  chain?: Partial<SettlementFacts['chain']>;
  session?: Partial<SettlementFacts['session']>;
  attempt?: Partial<SettlementFacts['attempt']>;
  result?: Partial<AttemptResult>;
  frozen?: Partial<SettlementFacts['frozen']>;
  live?: Partial<SettlementFacts['live']>;
}

export function settlementFacts(change: SettlementChange = {}): SettlementFacts {
  return {
    ...FACTS,
    ...change,
    chain: { ...FACTS.chain, ...change.chain },
    session: { ...FACTS.session, ...change.session },
    attempt: { ...FACTS.attempt, ...change.attempt },
    result: { ...FACTS.result, ...change.result },
    frozen: { ...FACTS.frozen, ...change.frozen },
    live: { ...FACTS.live, ...change.live },
  };
}

type Earlier = SettlementFacts['earlier'][number];

/** An earlier attempt of the session that failed and changed nothing. */
export function earlierAttempt(change: Partial<Earlier> = {}): Earlier {
  return {
    end: 'crashed',
    purpose: 'tier',
    onlyMode: null,
    isContinuation: false,
    mayHaveActed: false,
    endText: 'It crashed.',
    ...change,
  };
}
