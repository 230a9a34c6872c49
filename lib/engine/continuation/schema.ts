/**
 * What the resume decision is made of, and what it says. All shapes, no behaviour.
 *
 * The predecessor's conversation is a cache of what the database knows: a pointer says that it
 * may be continued, and the handoff stands in whenever it may not.
 */
import type { DeniedVersions } from '@/lib/fleet/denied-versions';
import type { HarnessName, Tier, Transcript } from '@/lib/protocol/spec';
import type { FallbackEnd } from './fallbacks';
import type { ResumeReason } from './reasons';

/**
 * All but `follow_up` start a tier of a chain; `follow_up` is a turn of a conversation. `continue`
 * goes on with the session's own conversation after it went silent, so its source is itself.
 */
export const START_PURPOSES = [
  'escalate',
  'retry',
  'cycle',
  'manual',
  'reconcile',
  'continue',
  'follow_up',
] as const;
export type StartPurpose = (typeof START_PURPOSES)[number];

/** What a start carries when it does not resume. A transcript is for conversations. */
export type Carrier = 'handoff' | 'transcript';

/** What an attempt before this one, in the same session, did to the world. */
export interface EarlierAttempt {
  /** Calls without a result. */
  outstandingCalls: number;
  /** Calls that ended, whose effect can't be told from their name and input. */
  unknownCalls: number;
  /** Calls that ended and may have changed something. */
  changingCalls: number;
  /** A person has looked and says that it may be repeated. */
  isAcknowledged: boolean;
}

export interface ResumeRequest {
  purpose: StartPurpose;
  organizationId: string;
  projectId: string;
  /** Null: a turn of a conversation that is not about a chain. */
  chainId: string | null;
  tier: Tier;
  /** Which of the project's agents answers; null for tiers. */
  agent: string | null;
  harness: HarnessName;
  model: string;
  /** Minted for this start. */
  newCliSessionId: string;
  /** Set when this start must not happen at all: suspended, denied, no role. A person reads it. */
  deniedBecause: string | null;
  /** This start's number within its session, from 1. */
  attemptNumber: number;
  /** This session has already started without its predecessor's conversation once. */
  hasFallenBack: boolean;
  /** This session has already been continued once after it went silent. */
  hasContinued: boolean;
  /** Asked for by the chain, the caller or a policy. */
  forceFresh: boolean;
  /** How the project wants this hop to go. */
  edgeMode: 'resume' | 'handoff';
  carrier: Carrier;
  /**
   * The predecessor; null where there is none. A turn's is the turn before it, and that of the
   * first turn about a chain is the chain's newest session.
   */
  source: {
    tier: Tier;
    /** It is the newest that ended: of its chain's sessions, or of its conversation's turns. */
    isHead: boolean;
    hasEnded: boolean;
    /** The handoff (or transcript) that can be carried instead is stored. */
    hasCarrier: boolean;
  } | null;
  earlierAttempt: EarlierAttempt | null;
  /** Hash of everything that shapes a conversation and is not the tier's own. */
  epoch: string;
  /** How often what this agent sees of the conversation was changed; null for tiers. */
  historyEpoch: number | null;
  /** What of the time for waiting is left to this start, in milliseconds. */
  waitLeftMs: number;
}

export type RetiredFor = FallbackEnd | 'other';

/** "Attempt A's conversation can be continued", as stored. */
export interface Pointer {
  organizationId: string;
  projectId: string;
  /** Null: a turn held it. */
  chainId: string | null;
  tier: Tier;
  /** Null: a tier held it. */
  agent: string | null;
  harness: HarnessName;
  /** As the producing process reported it. */
  model: string;
  cliSessionId: string | null;
  /** `system/init` named this id and the transcript was seen on disk. */
  isConfirmed: boolean;
  retiredFor: RetiredFor | null;
  /** Unexplained failures of starts that resumed it. */
  failures: number;
  /** How many resumes led to this conversation. */
  depth: number;
  runnerId: string;
  fingerprint: string | null;
  cliVersion: string | null;
  /** Account and provider route, as a hash. */
  authPrincipal: string | null;
  /** The folder that it was held in; null where its runner didn't report it. */
  workDirInode: string | null;
  epoch: string;
  /** Read when its turn began; null for tiers. */
  historyEpoch: number | null;
  /** The transcript file when its process ended; null where its runner didn't report it. */
  transcript: Transcript | null;
  /** The last turn's context: input, cache read, cache write and output tokens. */
  contextTokens: number | null;
  /** Whole conversation, for the page; no guard reads it. */
  cumulativeTokens: number | null;
  createdAt: Date;
}

/** The host that would start the process, as far as it is known when deciding. */
export interface Runtime {
  runnerId: string;
  /** The runner that holds the conversation answers now. */
  isOwnerReachable: boolean;
  /** Of the agent's CLI on the runner that holds the conversation. */
  ownerCliVersion: string | null;
  /** Probed from the CLI's help. */
  canResume: boolean;
  fingerprint: string | null;
  cliVersion: string | null;
  authPrincipal: string | null;
  /** Of the model that is to continue, in tokens; null: not known. */
  contextWindow: number | null;
}

export interface ResumePolicy {
  threshold: { share: number; source: 'project' | 'installation' };
  /** Window of a model whose own is not known, in tokens. */
  smallestWindow: number;
  /** From and to, as model aliases or names. */
  provenEdges: readonly (readonly [string, string])[];
  /** What happens where two models are not among them. */
  unprovenEdges: 'resume' | 'handoff';
  /** Versions of the agent's CLI that don't start: see `version-list.ts`. */
  deniedCliVersions: DeniedVersions;
  pointerTtlSeconds: number;
  maxFailures: number;
  maxDepth: number;
  maxAttempts: number;
  maxTranscriptBytes: number;
  /** Facts older than this are to be checked again before a first write. */
  staleFactsSeconds: number;
  /** Uncached re-reading may cost this many tokens; null: no limit. */
  maxRereadTokens: number | null;
}

export const DEFAULT_RESUME_POLICY: ResumePolicy = {
  threshold: { share: 0.8, source: 'project' },
  smallestWindow: 200_000,
  provenEdges: [
    ['haiku', 'sonnet'],
    ['sonnet', 'opus'],
  ],
  unprovenEdges: 'resume',
  deniedCliVersions: { installation: [], organization: [] },
  pointerTtlSeconds: 72 * 3_600,
  maxFailures: 2,
  maxDepth: 20,
  maxAttempts: 4,
  maxTranscriptBytes: 64_000_000,
  staleFactsSeconds: 15 * 60,
  maxRereadTokens: null,
};

export type Compared = Record<string, string | number | boolean | null>;

/** Facts that a guard could not compare, each with the reason that people read. */
export type Unknown = Record<string, string>;

/**
 * `passed` and `stopped` mean that a comparison was made. `not_checked`: every fact of the guard was
 * unknown. `not_reached`: an earlier guard had stopped.
 */
export type GuardState = 'passed' | 'stopped' | 'not_checked' | 'not_reached';

/** One guard as the page shows it. */
export interface GuardResult {
  id: string;
  name: string;
  state: GuardState;
  /** Of `state`: true where it passed, false where it stopped, null otherwise. */
  passed: boolean | null;
  compared: Compared;
  unknown: Unknown;
}

export type Advisory = 'STALE_FACTS' | 'MODEL_CHANGED' | 'MODEL_EDGE_UNPROVEN' | 'CACHE_COLD';

/** Context use as it was judged, recorded on every decision. */
export interface ContextUse {
  usedTokens: number | null;
  cumulativeTokens: number | null;
  windowTokens: number;
  isWindowKnown: boolean;
  /** usedTokens over windowTokens. */
  share: number | null;
  threshold: number;
  thresholdSource: 'project' | 'installation';
}

interface Decided {
  reason: ResumeReason;
  guards: readonly GuardResult[];
  advisories: readonly Advisory[];
  /** The pointer must not be offered again. */
  retirePointer: boolean;
  /** Belongs in the audit log as a security matter. */
  isSecurityMatter: boolean;
  context: ContextUse;
  newCliSessionId: string;
}

/** A decision that starts a process. */
export type StartDecision =
  | (Decided & { mode: 'fresh' })
  | (Decided & {
      mode: 'resume';
      parentCliSessionId: string;
      /** What the runner compares with its disk before it starts the process; null: nothing. */
      workDirInode: string | null;
      transcript: Transcript | null;
    })
  | (Decided & { mode: 'handoff' })
  | (Decided & { mode: 'transcript' })
  /** Observe-only, from the handoff: something may have changed and nobody knows. */
  | (Decided & { mode: 'reconcile' });

export type ResumeDecision =
  | StartDecision
  | (Decided & { mode: 'wait'; waitMs: number })
  | (Decided & { mode: 'refuse' });

export type ResumeMode = ResumeDecision['mode'];
