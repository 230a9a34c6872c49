/**
 * Input and result of the resume decision: types only.
 *
 * The predecessor's conversation is a cache of what the database knows: a pointer says that it may
 * be continued, and the handoff replaces it whenever it may not.
 */

import type { DeniedVersions } from '@/lib/fleet/denied-versions';
import type { HarnessName, Tier, Transcript } from '@/lib/protocol/spec';
import type { KeptSeal } from '../attempt/context-data';
import type { FallbackEnd, ResumeReason } from './reasons';

/**
 * Purposes of a start. `follow_up` is a turn of a conversation, and the others start a tier of a
 * chain. `continue` is for both: the session's own conversation continues after it went silent, so
 * its source is the session itself. `approval` does the same for a tier after a person has decided about
 * its commands.
 */
export const START_PURPOSES = [
  'escalate',
  'retry',
  'cycle',
  'manual',
  'reconcile',
  'continue',
  'approval',
  'follow_up',
] as const;
export type StartPurpose = (typeof START_PURPOSES)[number];

/** Whether the session itself is the source. */
export function continuesItself(purpose: StartPurpose): boolean {
  return purpose === 'continue' || purpose === 'approval';
}

/** What a start carries if it doesn't resume. A transcript is for conversations. */
type Carrier = 'handoff' | 'transcript';

/** Effects of an earlier attempt of the same session. */
export interface EarlierAttempt {
  /** Calls without a result. */
  outstandingCalls: number;
  /** Completed calls whose effect can't be determined from their name and input. */
  unknownCalls: number;
  /** Completed calls that may have changed something. */
  changingCalls: number;
}

export interface ResumeRequest {
  purpose: StartPurpose;
  organizationId: string;
  projectId: string;
  /** Null: a turn of a conversation that isn't about a chain. */
  chainId: string | null;
  tier: Tier;
  /** Which of the project's agents answers; null for tiers. */
  agent: string | null;
  harness: HarnessName;
  model: string;
  /** Generated for this start. */
  newCliSessionId: string;
  /** Why this start must not happen at all, for people to read: suspended, denied, no role. */
  deniedBecause: string | null;
  /** Number of this start within its session, from 1. */
  attemptNumber: number;
  /** This session has already started once without its predecessor's conversation. */
  hasFallenBack: boolean;
  /** This session has already been continued once after it went silent. */
  hasContinued: boolean;
  /** Requested by the chain, the caller or a policy. */
  forceFresh: boolean;
  /** How the project configures this escalation. */
  edgeMode: 'resume' | 'handoff';
  carrier: Carrier;
  /**
   * The predecessor; null if there is none. For a turn it is the turn before it; for the first turn
   * about a chain, the chain's newest session.
   */
  source: {
    tier: Tier;
    hasEnded: boolean;
    /** The handoff (or transcript) that can be carried instead is stored. */
    hasCarrier: boolean;
  } | null;
  earlierAttempt: EarlierAttempt | null;
  /** Hash of the configuration that shapes a conversation, without what is specific to a tier. */
  epoch: string;
  /** How often the history that this agent sees was changed; null for tiers. */
  historyEpoch: number | null;
  /** How long this start may still wait, in milliseconds. */
  waitLeftMs: number;
}

export type RetiredFor = FallbackEnd | 'other';

/** "Attempt A's conversation can be continued", as stored. */
export interface Pointer {
  organizationId: string;
  projectId: string;
  /** Null: a turn's conversation. */
  chainId: string | null;
  tier: Tier;
  /** Null: a tier's conversation. */
  agent: string | null;
  harness: HarnessName;
  /** As the process that held it reported it. */
  model: string;
  cliSessionId: string | null;
  /** `system/init` named this id and the transcript was on disk. */
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
  /** Inode of the work directory; null if the runner didn't report it. */
  workDirInode: string | null;
  epoch: string;
  /** Read when its turn began; null for tiers. */
  historyEpoch: number | null;
  /** The transcript file when its process ended; null if the runner didn't report it. */
  transcript: Transcript | null;
  /** It holds text of other systems, such as alerts, that its prompt or an earlier one contained. */
  isTainted: boolean;
  /** The control plane's copy; null: none is kept, or not yet. */
  seal: KeptSeal | null;
  /** Its runner reported that it sends no copy. */
  isSealRefused: boolean;
  /** Context of the last turn: input, cache read, cache write and output tokens. */
  contextTokens: number | null;
  /** Tokens of the whole conversation, for display only. */
  cumulativeTokens: number | null;
  createdAt: Date;
}

/** The host that would start the process, as far as it is known at the decision. */
export interface Runtime {
  runnerId: string;
  /** The runner that holds the conversation is online. */
  isOwnerReachable: boolean;
  /** That runner still answers and sends copies of its conversations, although no work reaches it. */
  isOwnerSealing: boolean;
  /** The claiming runner can continue a conversation of another host. */
  canOpenSeals: boolean;
  /** False: its agent has failed to prove that it refuses forbidden commands, so it won't start there. */
  isOwnerProven: boolean;
  /** False: the project is confined, and the runner that holds the conversation can't confine agents. */
  canOwnerConfine: boolean;
  /** Of the agent's CLI on the runner that holds the conversation. */
  ownerCliVersion: string | null;
  /** Probed from the CLI's help. */
  canResume: boolean;
  fingerprint: string | null;
  cliVersion: string | null;
  authPrincipal: string | null;
  /** Window of the model that would continue, in tokens; null: unknown. */
  contextWindow: number | null;
}

export interface ResumePolicy {
  threshold: { share: number; source: 'project' | 'installation' };
  /** Assumed window of a model whose window is unknown, in tokens. */
  smallestWindow: number;
  /** Pairs of models (from, to), as aliases or names. */
  provenEdges: readonly (readonly [string, string])[];
  /** What happens if a pair of models is not among them. */
  unprovenEdges: 'resume' | 'handoff';
  /** What happens if a higher tier would continue a tainted conversation. */
  taintedConversation: 'resume' | 'handoff';
  /** Versions of the agent's CLI that don't start: see `version-list.ts`. */
  deniedCliVersions: DeniedVersions;
  pointerTtlSeconds: number;
  maxFailures: number;
  maxDepth: number;
  maxAttempts: number;
  maxTranscriptBytes: number;
  /** Older facts have to be checked again before a first write. */
  staleFactsSeconds: number;
  /** Maximum tokens of uncached re-reading; null: no limit. */
  maxRereadTokens: number | null;
}

/** What depends on the models of an agent is the agent's. */
export const DEFAULT_RESUME_POLICY: Omit<ResumePolicy, 'smallestWindow' | 'provenEdges'> = {
  threshold: { share: 0.8, source: 'project' },
  unprovenEdges: 'resume',
  taintedConversation: 'handoff',
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

/** Facts that a guard could not compare, each with the reason for people. */
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
  /** From `state`: true if it passed, false if it stopped, null otherwise. */
  passed: boolean | null;
  compared: Compared;
  unknown: Unknown;
}

export type Advisory = 'STALE_FACTS' | 'MODEL_CHANGED' | 'MODEL_EDGE_UNPROVEN' | 'CACHE_COLD';

/** The context use that was evaluated, recorded with every decision. */
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
      /** Set if the conversation moves here from another host. */
      sealId: string | null;
    })
  | (Decided & { mode: 'handoff' })
  | (Decided & { mode: 'transcript' })
  /** Observe-only, from the handoff: something unknown may have changed. */
  | (Decided & { mode: 'reconcile' });

export type ResumeDecision =
  | StartDecision
  | (Decided & { mode: 'wait'; waitMs: number })
  | (Decided & { mode: 'refuse' });

export type ResumeMode = ResumeDecision['mode'];
