import type { ResumeReason } from '../reasons';
import type {
  Compared,
  ContextUse,
  Pointer,
  ResumePolicy,
  ResumeRequest,
  Runtime,
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
  /** Null: passed. */
  stop: Stop | null;
}

/** One question of the matrix. The first that stops decides, so their order is part of the contract. */
export interface Guard {
  id: string;
  name: string;
  check(input: GuardInput): GuardOutcome;
}

/** A guard that looks at the pointer. Without one it passes: a guard before it has decided. */
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
        ? { compared: {}, stop: null }
        : check({ ...input, pointer: input.pointer }),
  };
}

/** The first of several conditions that holds. */
export function firstOf(
  compared: Compared,
  conditions: readonly (readonly [boolean, Stop])[],
): GuardOutcome {
  return { compared, stop: conditions.find(([holds]) => holds)?.[1] ?? null };
}

export function carry(reason: ResumeReason, options: { retires?: boolean } = {}): Stop {
  return { to: 'carry', reason, ...options };
}
