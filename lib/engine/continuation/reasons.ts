/** Every reason of a resume decision, with the sentence that people read. */

/** Values that a sentence may name. The decision supplies the numbers, the caller the names. */
export interface ResumeValues {
  tier: number;
  /** `#19`, or null without a predecessor. */
  parentSession: string | null;
  parentTier: number | null;
  /** The runner that holds the conversation. */
  runner: string | null;
  /** The runner that the conversation moves to; null or absent if it stays where it is. */
  movedTo?: string | null;
  parentCliSessionId: string | null;
  usedTokens: number | null;
  windowTokens: number;
  threshold: number;
  /** Why it was denied; only for POLICY_DENIED. */
  denial: string | null;
  /** Which version waits for what; only for CLI_DENYLISTED. */
  deniedCli?: string | null;
  /**
   * Set for a turn of a conversation. `continues` is the position of the turn whose conversation it
   * would continue; null if that is a tier's session. `hasRunTools`: so it is never repeated.
   */
  turn?: { continues: number | null; hasRunTools?: boolean };
  /** It was meant to continue the session's own conversation. */
  isContinuation?: boolean;
}

type Sentence = (values: ResumeValues) => string;

/** Returns the words for a start without the conversation. */
const instead = ({ tier, turn, isContinuation }: ResumeValues) => {
  if (isContinuation && turn) {
    return turn.hasRunTools
      ? "Tools had run, so the turn isn't repeated automatically."
      : 'The message is sent again instead.';
  }
  if (isContinuation) return `Tier ${tier} is retried instead.`;
  return turn
    ? 'The full transcript was sent instead.'
    : `Tier ${tier} started from the handoff instead.`;
};
const parent = ({ parentSession, turn }: ResumeValues) =>
  turn && turn.continues !== null ? `turn ${turn.continues}` : `Session ${parentSession ?? '—'}`;
const moved = ({ runner, movedTo }: ResumeValues) =>
  movedTo ? `, moved from ${runner ?? '—'} to ${movedTo}` : '';
const couldNot = (v: ResumeValues) => `Couldn't continue ${parent(v)}:`;
const because = (why: string) => (v: ResumeValues) => `${couldNot(v)} ${why}. ${instead(v)}`;
/** Chooses between the sentence for tiers and the one for turns. */
const either = (tiers: Sentence, turns: Sentence) => (v: ResumeValues) =>
  v.turn ? turns(v) : tiers(v);

const SENTENCES = {
  OK_RESUME: (v) => `Continues the conversation of ${parent(v)}${moved(v)}.`,
  OK_CONTINUE: (v) =>
    `Continues the conversation of ${parent(v)} once, after it stalled${moved(v)}.`,
  OK_APPROVAL: (v) => `Continues the conversation of ${parent(v)} after the decision${moved(v)}.`,
  CONTINUE_SPENT: (v) => `Not started: ${parent(v)} has been continued once already.`,
  INPUT_INVALID: () => 'Not started: the facts for the decision were incomplete or malformed.',
  TENANT_MISMATCH: () => 'Not started: the conversation belongs to another organization.',
  PROJECT_MISMATCH: () => 'Not started: the conversation belongs to another project.',
  POLICY_DENIED: (v) => `Not started: ${v.denial ?? "it isn't allowed"}.`,
  ATTEMPTS_SPENT: () => 'Not started: this session has used all its attempts.',
  CYCLE_ALWAYS_FRESH: () => 'A new chain always starts a new conversation.',
  MANUAL_NEW_CHAIN: () => 'Started on request, with a new conversation.',
  FIRST_TURN: () => 'First turn: there is no earlier conversation.',
  FIRST_TIER_RETRY: () => 'Started again from the beginning; there is no earlier session.',
  RECONCILE_REQUESTED: () => 'Checks the current state before anything is repeated. Observe only.',
  OUTSTANDING_TOOL: either(
    () =>
      'The previous attempt ended in the middle of a call. Checks the current state first, observe only.',
    because('its process ended in the middle of a call'),
  ),
  EFFECT_UNKNOWN: () =>
    'The previous attempt made a call with an unknown effect. Checks the current state first, observe only.',
  EFFECTS_APPLIED: () =>
    'The previous attempt may have changed something. Checks the current state first, observe only.',
  NOTHING_TO_CARRY: either(
    () => 'Not started: the previous session left neither a conversation nor a handoff.',
    () => 'Not started: neither the conversation nor its transcript is available.',
  ),
  FORCE_FRESH: (v) => `A fresh start was requested. ${instead(v)}`,
  RESUME_DISABLED: either(
    (v) => `This project hands off at this step. ${instead(v)}`,
    (v) => `This project never resumes conversations. ${instead(v)}`,
  ),
  TAINTED: (v) =>
    `Handed off instead of resuming: the conversation of ${parent(v)} holds text of other systems, such as alerts, and this project lets no higher tier continue it. ${instead(v)}`,
  CAP_ABSENT: because("the agent on this host can't resume"),
  CLI_DENYLISTED: (v) =>
    v.deniedCli ?? "Not started yet: this version of the agent's CLI is on a denylist.",
  NO_POINTER: because("its conversation id wasn't recorded"),
  POINTER_INCOMPLETE: because('its conversation has no id'),
  POINTER_UNCONFIRMED: because('its conversation was never confirmed on disk'),
  RESUME_REJECTED: (v) =>
    `${couldNot(v)} runner ${v.runner ?? '—'} has no conversation ${shortId(v)}. ${instead(v)}`,
  CONTEXT_EXHAUSTED: because('its conversation is full'),
  HISTORY_UNREPLAYABLE: because("its history can't be replayed"),
  POINTER_RETIRED: because('its conversation was abandoned'),
  FAILURE_CAP: because('resuming it has failed repeatedly for no known reason'),
  DEPTH_CAP: because('it has been continued too many times'),
  OWNER_RUNNING: (v) => `Waiting: ${parent(v)} hasn't ended yet.`,
  OWNER_WAIT_EXPIRED: because("it didn't end in time"),
  TIER_ORDER: because("it isn't the tier right below"),
  SOURCE_NOT_IN_CHAIN: because('it belongs to another chain'),
  FALLBACK_KEPT: either(
    (v) => `This session has already started from the handoff once. ${instead(v)}`,
    (v) => `This turn couldn't be resumed once already. ${instead(v)}`,
  ),
  HISTORY_CHANGED: because('what was said before has been edited, retried or cut since'),
  EPOCH_BASE: because('the configuration has changed since'),
  EXPIRED: because('its conversation has expired'),
  CLOCK_SKEW: because("its timestamp is in the future; the hosts' clocks disagree"),
  AGENT_CHANGED: because('it was held by another agent'),
  AUTH_CHANGED: because('the account of the model provider has changed'),
  RUNTIME_CHANGED: because("the agent's CLI on this host has changed"),
  CLI_DOWNGRADE: because("this host has an older version of the agent's CLI"),
  WORKDIR_CHANGED: because('its work directory has changed'),
  ROUTE_TO_HOST: (v) => `Waiting for runner ${v.runner ?? '—'}, which holds the conversation.`,
  UNREACHABLE: because(
    "the runner that holds its conversation isn't available, and no sealed copy is kept",
  ),
  SEAL_EXPECTED: (v) => `Waiting for runner ${v.runner ?? '—'} to send a copy of the conversation.`,
  SEAL_REFUSED: because(
    "the runner that holds its conversation isn't available, and sent no copy because of what it contains or its size",
  ),
  SEAL_EXPIRED: because('its sealed copy has expired'),
  SEAL_DIFFERS: because("its sealed copy isn't the conversation that its process left"),
  SEAL_UNUSABLE: because('its sealed copy is damaged or missing'),
  SEAL_UNSUPPORTED: because("this runner's version can't continue conversations of other hosts"),
  SEAL_UNAVAILABLE: because("its sealed copy couldn't be opened on this host"),
  OWNER_CLI_DENYLISTED: because(
    "the agent's CLI on the runner that holds its conversation is on a denylist",
  ),
  OWNER_UNCONFINED: because(
    "the runner that holds its conversation can't confine agents, and this project is confined",
  ),
  OWNER_UNPROVEN: because(
    'the agent on the runner that holds its conversation failed to prove that it refuses forbidden commands',
  ),
  TAMPERED: because('its stored conversation was modified'),
  TOO_LARGE: because('its conversation is too large'),
  MODEL_EDGE_UNPROVEN: because("resuming with this model isn't proven"),
  CONTEXT_PRESSURE: either(
    (v) =>
      `Handed off instead of resuming: ${inUse(v)}. Raise the limit or shorten tier ${v.parentTier ?? '—'}.`,
    (v) => `${couldNot(v)} ${inUse(v)}. ${instead(v)}`,
  ),
  CONTEXT_UNKNOWN: because("its context usage wasn't reported"),
  UNECONOMIC: because('re-reading its conversation would cost too much'),
} satisfies Record<string, Sentence>;

export type ResumeReason = keyof typeof SENTENCES;

export const RESUME_REASONS = Object.keys(SENTENCES) as ResumeReason[];

/** Returns the sentence of a reason, as events and pages show it. */
export function resumeSentence(reason: ResumeReason, values: ResumeValues): string {
  return SENTENCES[reason](values);
}

function inUse(values: ResumeValues): string {
  return `${count(values.usedTokens)} of ${count(values.windowTokens)} tokens are in use and the limit is ${percent(values.threshold)}`;
}

function shortId(values: ResumeValues): string {
  return values.parentCliSessionId === null ? '—' : `${values.parentCliSessionId.slice(0, 8)}…`;
}

function count(tokens: number | null): string {
  return tokens === null ? '—' : tokens.toLocaleString('en');
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

/**
 * Ends that mean that the resumed conversation can't be continued, each with the reason of the
 * start without it that follows. The pointer is retired with the same reason.
 */
export const FALLBACK_REASONS = {
  resume_rejected: 'RESUME_REJECTED',
  context_exhausted: 'CONTEXT_EXHAUSTED',
  history_unreplayable: 'HISTORY_UNREPLAYABLE',
  work_dir_changed: 'WORKDIR_CHANGED',
  transcript_changed: 'TAMPERED',
  seal_unavailable: 'SEAL_UNAVAILABLE',
} as const;

export type FallbackEnd = keyof typeof FALLBACK_REASONS;
export type FallbackReason = (typeof FALLBACK_REASONS)[FallbackEnd];

export function isFallbackEnd(end: string): end is FallbackEnd {
  return Object.hasOwn(FALLBACK_REASONS, end);
}
