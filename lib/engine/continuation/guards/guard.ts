import type { ResumeReason } from '../reasons';
import type {
  Compared,
  ContextUse,
  Pointer,
  ResumePolicy,
  ResumeRequest,
  Runtime,
  Unknown,
} from '../schema';

export interface GuardInput {
  request: ResumeRequest;
  pointer: Pointer | null;
  runtime: Runtime;
  policy: ResumePolicy;
  now: Date;
  context: ContextUse;
}

export interface Stop {
  /** `carry`: start without the conversation, from its handoff or transcript. */
  to: 'fresh' | 'carry' | 'reconcile' | 'wait' | 'refuse';
  reason: ResumeReason;
  retires?: boolean;
}

export interface GuardOutcome {
  /** What was compared, as the page shows it. No secrets and no free text. */
  compared: Compared;
  /** The facts of `compared` that were unknown, so that they decided nothing. */
  unknown: Unknown;
  /** Null: the guard doesn't stop. */
  stop: Stop | null;
}

/** One guard of the matrix. The first that stops decides, so the order is part of the contract. */
export interface Guard {
  id: string;
  name: string;
  check(input: GuardInput): GuardOutcome;
}

/** Makes a guard that reads the pointer. Without a pointer, an earlier guard has stopped. */
export function pointerGuard(
  id: string,
  name: string,
  check: (input: GuardInput & { pointer: Pointer }) => GuardOutcome,
): Guard {
  return {
    id,
    name,
    check: (input) =>
      input.pointer === null
        ? { compared: {}, unknown: {}, stop: null }
        : check({ ...input, pointer: input.pointer }),
  };
}

/**
 * Stops at the first of several conditions that is true.
 *
 * @param unknown unknown facts of `compared`, with the reason; false and null leave one out
 */
export function firstOf(
  compared: Compared,
  conditions: readonly (readonly [boolean, Stop])[],
  unknown: Readonly<Record<string, string | false | null>> = {},
): GuardOutcome {
  const reasons = Object.entries(unknown).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return {
    compared,
    unknown: Object.fromEntries(reasons),
    stop: conditions.find(([holds]) => holds)?.[1] ?? null,
  };
}

export function carry(reason: ResumeReason, options: { retires?: boolean } = {}): Stop {
  return { to: 'carry', reason, ...options };
}
