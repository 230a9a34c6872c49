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
  /** `carry`: start without the conversation, from what stands in for it. */
  to: 'fresh' | 'carry' | 'reconcile' | 'wait' | 'refuse';
  reason: ResumeReason;
  retires?: boolean;
  isSecurityMatter?: boolean;
}

export interface GuardOutcome {
  /** What was compared, for the page; no secrets, no free text. */
  compared: Compared;
  /** Those of `compared` that were not known, so that nothing was decided by them. */
  unknown: Unknown;
  /** Null: it does not stop. */
  stop: Stop | null;
}

/** One question of the matrix. The first that stops decides, so their order is part of the contract. */
export interface Guard {
  id: string;
  name: string;
  check(input: GuardInput): GuardOutcome;
}

/** A guard that looks at the pointer. Where there is none, an earlier guard has stopped. */
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
 * Stops at the first of several conditions that holds.
 *
 * @param unknown facts of `compared` that are not known and why; false and null leave one out
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
