/**
 * Every closed set of the engine's rows, once. The database has the same sets as CHECKs, and a test
 * holds the two against each other. Parse a stored value with its schema: an unknown one is an error,
 * never another value.
 */

import { z } from 'zod';

export const CHAIN_STATUSES = ['queued', 'waiting', 'running', 'stopping', 'ended'] as const;
export const chainStatusSchema = z.enum(CHAIN_STATUSES);

type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Which status of a chain may follow which. The database refuses every other change. */
export const CHAIN_TRANSITIONS: Transitions<(typeof CHAIN_STATUSES)[number]> = {
  queued: ['waiting', 'running', 'stopping', 'ended'],
  waiting: ['running', 'stopping', 'ended'],
  running: ['waiting', 'stopping', 'ended'],
  stopping: ['ended'],
  ended: [],
};

/** What made a chain start; `triggers.ts` has the rest of what each means. */
export const CHAIN_TRIGGERS = ['schedule', 'manual', 'api', 'check', 'alert'] as const;
export const chainTriggerSchema = z.enum(CHAIN_TRIGGERS);
export type ChainTrigger = z.infer<typeof chainTriggerSchema>;

/** How a chain ended. `skipped`: a slot whose chain never started. */
export const CHAIN_OUTCOMES = [
  'healthy',
  'findings',
  'fixed',
  'suppressed',
  'needs_human',
  'failed',
  'lost',
  'stopped',
  'skipped',
] as const;
export const chainOutcomeSchema = z.enum(CHAIN_OUTCOMES);
export type ChainOutcome = z.infer<typeof chainOutcomeSchema>;

/** Statuses in which a session may still do something; it has no end time in them. */
export const LIVE_SESSION_STATUSES = ['queued', 'waiting', 'running', 'stopping'] as const;
const ENDS = [
  'stopped',
  'completed',
  'escalated',
  'failed',
  'lost',
  'timed_out',
  'refused',
] as const;
export const SESSION_STATUSES = [...LIVE_SESSION_STATUSES, ...ENDS] as const;
/** Which status of a session may follow which: one that has ended stays as it is. */
export const SESSION_TRANSITIONS: Transitions<(typeof SESSION_STATUSES)[number]> = {
  queued: ['waiting', 'running', 'stopping', ...ENDS],
  waiting: ['queued', 'running', 'stopping', ...ENDS],
  running: ['queued', 'waiting', 'stopping', ...ENDS],
  stopping: ENDS,
  stopped: [],
  completed: [],
  escalated: [],
  failed: [],
  lost: [],
  timed_out: [],
  refused: [],
};
export const sessionStatusSchema = z.enum(SESSION_STATUSES);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/**
 * What queued or waiting work waits for; null once it runs. `host`: the one that holds its
 * conversation. `retry`: the next try is not due, or follows a failure that the text names.
 * `version`: another runner, or another version of the agent's CLI, because its own is on a denylist.
 * `approval`: a person has to decide. `canary`: its agent has to prove that it refuses forbidden commands.
 * `isolation`: a runner of its pool that can confine agents, because another one can't.
 */
export const WAIT_REASONS = [
  'runner',
  'pause',
  'maintenance',
  'budget',
  'host',
  'retry',
  'version',
  'approval',
  'canary',
  'isolation',
] as const;
export const waitReasonSchema = z.enum(WAIT_REASONS);
export type WaitReason = z.infer<typeof waitReasonSchema>;

/** Waits for a host that may start the work, which end after a limited time. */
export const HOST_WAITS = ['canary', 'isolation'] as const satisfies WaitReason[];
export type HostWait = (typeof HOST_WAITS)[number];

export function isHostWait(reason: string | null): reason is HostWait {
  return HOST_WAITS.some((each) => each === reason);
}

/**
 * Returns what a chain or session is waiting for; a stored reason is ignored once it runs or has
 * ended.
 */
export function currentWait(row: { status: string; waitReason: string | null }): WaitReason | null {
  const isWaiting = row.status === 'queued' || row.status === 'waiting';
  return isWaiting ? waitReasonSchema.nullable().parse(row.waitReason) : null;
}

/** A tier of a chain, or a turn of a conversation. */
export const SESSION_KINDS = ['tier', 'ask'] as const;
export const sessionKindSchema = z.enum(SESSION_KINDS);
export type SessionKind = z.infer<typeof sessionKindSchema>;

/** What a session's newest start continued from. */
export const SESSION_MECHANISMS = ['fresh', 'resume', 'handoff', 'transcript'] as const;
export const sessionMechanismSchema = z.enum(SESSION_MECHANISMS);

export const ATTEMPT_STATUSES = ['queued', 'claimed', 'running', 'stopping', 'ended'] as const;
export const attemptStatusSchema = z.enum(ATTEMPT_STATUSES);
/** Which status of an attempt may follow which. */
export const ATTEMPT_TRANSITIONS: Transitions<(typeof ATTEMPT_STATUSES)[number]> = {
  queued: ['claimed', 'ended'],
  claimed: ['running', 'stopping', 'ended'],
  running: ['stopping', 'ended'],
  stopping: ['ended'],
  ended: [],
};

/** What a start falls back to, where it must not resume. */
export const ONLY_MODES = ['handoff', 'transcript'] as const;

/**
 * What is known of a command of a confined agent. `started`: about to be executed, or executed without a
 * known end. `left_running`: it, or what it has started, could not be ended with its attempt. `failed`: it
 * exited with another code than 0, or by a signal. `not_started` and `refused`: it was never executed.
 */
export const COMMAND_STATES = [
  'started',
  'left_running',
  'succeeded',
  'failed',
  'not_started',
  'refused',
] as const;
export const commandStateSchema = z.enum(COMMAND_STATES);
export type CommandState = z.infer<typeof commandStateSchema>;

export const DECISION_KINDS = ['escalation', 'continuation', 'after_end'] as const;
export const decisionKindSchema = z.enum(DECISION_KINDS);

/** Where a handoff comes from: made by the control plane, or written by the agent. */
export const HANDOFF_SOURCES = ['built', 'file'] as const;
export const handoffSourceSchema = z.enum(HANDOFF_SOURCES);

export const POINTER_STATES = ['confirmed', 'unconfirmed', 'retired'] as const;

/** What the agent asks of a person. */
export const QUESTION_STATUSES = ['open', 'answered', 'expired', 'cancelled'] as const;
export const questionStatusSchema = z.enum(QUESTION_STATUSES);

/** Under which the ledger books the turns of conversations: they belong to no tier of a chain. */
export const ASK_TIER = 0;

/** What a person decides about. */
export const APPROVAL_KINDS = ['command', 'tier'] as const;
export const approvalKindSchema = z.enum(APPROVAL_KINDS);

/** `withdrawn`: nobody waits for it now, because the agent or its chain has ended. */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'refused',
  'expired',
  'withdrawn',
] as const;
export const approvalStatusSchema = z.enum(APPROVAL_STATUSES);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;
/** Which status of an approval may follow which: a refusal stays one, also where it is taken back. */
export const APPROVAL_TRANSITIONS: Transitions<ApprovalStatus> = {
  pending: ['approved', 'refused', 'expired', 'withdrawn'],
  approved: ['expired', 'withdrawn'],
  refused: [],
  expired: [],
  withdrawn: [],
};

export const APPROVAL_VERDICTS = ['approve', 'refuse'] as const;
export const approvalVerdictSchema = z.enum(APPROVAL_VERDICTS);
export type ApprovalVerdict = z.infer<typeof approvalVerdictSchema>;

/** What a person can do with an approval: vote, or take back a refusal, which lets nothing run by itself. */
export const approvalDecisionSchema = z.enum([...APPROVAL_VERDICTS, 'allow_again']);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/** Where a person decided: on a page, or with a token (API and command line). */
export const VOTE_DOORS = ['page', 'api'] as const;
