/**
 * The rows around a claim of tier 2, which tier 1 escalated to, and around the first turn of a
 * conversation. They hold the columns that a start depends on, and no others.
 */
import type {
  Chain,
  Conversation,
  Handoff,
  Organization,
  Pointer,
  Project,
  Runner,
  Session,
  Turn,
} from '@/generated/prisma/client';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Handoff as GivenHandoff } from '@/lib/engine/continuation/handoff/schema';
import type { ClaimFacts } from '@/lib/engine/kinds/tier/claim/facts';
import type { TurnFacts } from '@/lib/engine/kinds/turn/claim/facts';
import { type Capabilities, RUNNER_VERSION } from '@/lib/protocol/schema';
import { CONFIG } from './settlement-facts';

export const CLAIMED_AT = new Date('2026-11-21T14:00:00Z');
export const PARENT_CLI_SESSION_ID = 'f1647ee4-3c3c-4f0a-8a56-6a2d8f1b9c0d';

export const ORGANIZATION = {
  id: 'organization-a',
  name: 'Acme',
  pausedAt: null,
  deniedCliVersions: ['2.1.100'],
} as unknown as Organization;

export const PROJECT = {
  id: 'project-a',
  name: 'Checkout',
  currentVersion: 14,
  pausedAt: null,
} as unknown as Project;

export const RUNNER = {
  id: 'eu-1',
  lastSeenAt: CLAIMED_AT,
  revokedAt: null,
  drainingAt: null,
  pausedAt: null,
  capabilities: {
    runnerVersion: RUNNER_VERSION,
    hostname: 'eu-1',
    platform: 'linux',
    user: 'agent',
    isRoot: false,
    containment: 'cgroup',
    slots: 1,
    canAsk: true,
    canSeal: true,
    canHoldCommands: true,
    harnesses: [
      {
        name: 'claude',
        version: '2.1.330',
        fingerprint: 'abc',
        isUsable: true,
        problem: null,
        canResume: true,
        account: 'key-1',
        canaries: [{ mode: 'open', state: 'passed', detail: null }],
      },
    ],
  } satisfies Capabilities,
} as unknown as Runner;

export const POINTER = {
  organizationId: 'organization-a',
  projectId: 'project-a',
  harness: 'claude',
  model: 'claude-haiku-4-5-20251001',
  cliSessionId: PARENT_CLI_SESSION_ID,
  state: 'confirmed',
  retiredReason: null,
  failures: 0,
  depth: 0,
  runnerId: 'eu-1',
  fingerprint: 'abc',
  cliVersion: '2.1.330',
  account: 'key-1',
  workDirInode: '8:1',
  transcriptBytes: 40_000,
  transcriptSha256: 'h1',
  contextTokens: 15_000,
  cumulativeTokens: 48_000,
  projectVersion: 14,
  createdAt: new Date('2026-11-21T13:59:58Z'),
} as unknown as Pointer;

const GIVEN: GivenHandoff = {
  schema_version: 1,
  recommended_tier: 2,
  services_affected: ['web'],
  check_results: [{ service: 'web', check_type: 'http', status: 'down', error: 'refused' }],
  cooldown_state: {},
};

const HANDOFF_ROW = {
  createdAt: new Date('2026-11-21T13:59:59Z'),
  payload: GIVEN,
} as unknown as Handoff;

export const ATTEMPT = {
  id: 'attempt-2',
  organizationId: 'organization-a',
  projectId: 'project-a',
  sessionId: 'session-19',
  sessionKind: 'tier',
  number: 1,
  purpose: 'tier',
  onlyMode: null,
  waitUntil: null,
} as unknown as AttemptRow;

/** A change of some rows by their columns, and of the facts beside them. */
export interface ClaimChange
  extends Partial<Omit<ClaimFacts, 'chain' | 'session' | 'frozen' | 'live'>> {
  chain?: Partial<Chain>;
  session?: Partial<Session>;
  frozen?: Partial<ClaimFacts['frozen']>;
  live?: Partial<ClaimFacts['live']>;
}

const NO_EARLIER = {
  isContinuation: false,
  hasContinued: false,
  earlierCalls: null,
  events: [],
  waits: 0,
} as const;

const CHAIN = {
  id: 'chain-12',
  number: 12,
  trigger: 'schedule',
  projectVersion: 14,
  isDryRun: false,
  isForceFresh: false,
  prompt: null,
} as unknown as Chain;

const TIER_1 = {
  id: 'session-18',
  number: 18,
  projectId: 'project-a',
  tier: 1,
  endedAt: new Date('2026-11-21T13:59:58Z'),
} as unknown as Session;

const TIER_2 = {
  id: 'session-19',
  number: 19,
  projectId: 'project-a',
  tier: 2,
  model: 'sonnet',
} as unknown as Session;

export function claimFacts(change: ClaimChange = {}): ClaimFacts {
  return {
    project: PROJECT,
    organization: ORGANIZATION,
    runner: RUNNER,
    handoff: HANDOFF_ROW,
    holds: { tierPauses: [], snoozes: [], acknowledgements: [] },
    parent: TIER_1,
    pointer: POINTER,
    owner: RUNNER,
    seal: null,
    isSealRefused: false,
    isTainted: false,
    windows: [],
    actions: [],
    spending: { chainMicros: 0, dayMicros: 0, monthMicros: 0 },
    given: GIVEN,
    isDryRunForced: false,
    signals: [],
    approvals: [],
    refusals: [],
    attemptsBefore: [],
    decided: null,
    ...NO_EARLIER,
    ...change,
    chain: { ...CHAIN, ...change.chain },
    session: { ...TIER_2, ...change.session },
    frozen: { ...CONFIG, ...change.frozen },
    live: { ...CONFIG, ...change.live },
  };
}

export interface TurnChange extends Partial<Omit<TurnFacts, 'turn' | 'live'>> {
  turn?: Partial<Turn>;
  live?: Partial<TurnFacts['live']>;
}

const TURN = {
  id: 'turn-1',
  agent: 'claude',
  message: 'Is web well?',
  epoch: null,
  cutAt: null,
  isForcedFresh: false,
} as unknown as Turn;

export function turnFacts(change: TurnChange = {}): TurnFacts {
  return {
    conversation: { id: 'conversation-1', chainId: null } as unknown as Conversation,
    session: { ...TIER_2, id: 'session-20', number: 20, tier: 1, model: 'haiku', chainId: null },
    project: PROJECT,
    organization: ORGANIZATION,
    runner: RUNNER,
    chain: null,
    previous: null,
    parent: null,
    pointer: null,
    owner: null,
    seal: null,
    isSealRefused: false,
    isTainted: false,
    windows: [],
    held: null,
    transcript: { chain: null, turns: [] },
    spending: { chainMicros: 0, dayMicros: 0, monthMicros: 0 },
    ...NO_EARLIER,
    ...change,
    turn: { ...TURN, ...change.turn },
    live: { ...CONFIG, ...change.live },
  };
}
