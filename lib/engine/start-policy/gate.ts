/** What a gate is: a question whether work may start, and why it may not. */
import { PreconditionFailedError } from '@/lib/platform/errors';
import type { WaitReason } from '../statuses';
import type { StartFacts } from './facts';

/** Why nothing starts. Stored with decisions and returned by the API. */
export const GATE_CODES = [
  'SNOOZED',
  'ACKNOWLEDGED',
  'PAUSED',
  'MAINTENANCE',
  'MAX_TIER',
  'TIER_DISABLED',
  'DRY_RUN',
  'CHAIN_RUNNING',
  'BUDGET',
  'NO_POOL',
  'CONFINED_ELSEWHERE',
  'NOT_CONFINED',
  'CANARY_PENDING',
  'CANARY_FAILED',
  'COOLDOWN',
  'APPROVAL',
  'APPROVAL_REFUSED',
  'APPROVAL_EXPIRED',
] as const;
export type GateCode = (typeof GATE_CODES)[number];

export interface ClosedGate {
  code: GateCode;
  /** Why, as a clause: `Checkout is paused by Ana`. It reads the same wherever it is shown. */
  because: string;
  /** What opens the gate, as a sentence. */
  remedy: string;
  /**
   * What opens the gate: `passes` (time or a change of settings), `settled` (nothing, for this
   * work), or a `person` who has to act.
   */
  ends: 'passes' | 'settled' | 'person';
  /** The wait reason of work that waits for the gate; null if no work waits for it. */
  waitReason: WaitReason | null;
}

/** Returns why work must not start; null if this gate is open. */
export type Gate = (facts: StartFacts, now: Date) => ClosedGate | null;

/** Returns why nothing starts and what to do about it, as sentences. */
export function refusalText({ because, remedy }: ClosedGate): string {
  return `${asSentence(because)} ${remedy}`;
}

/** Nothing starts, because a gate is closed. */
export class StartRefusedError extends PreconditionFailedError {
  /** Whether the gate opens in time, so that a later try may succeed: a pause, a window, a budget's end. */
  readonly isPassing: boolean;

  constructor(readonly gate: ClosedGate) {
    super(refusalText(gate));
    this.isPassing = gate.ends === 'passes' || gate.code === 'BUDGET';
  }
}

/** `the window is open` becomes `The window is open.`; a name keeps its spelling. */
export function asSentence(clause: string): string {
  const isOurs = /^(?:the|tier|there|chain|nobody) /.test(clause);
  return `${isOurs ? clause.charAt(0).toUpperCase() : clause.charAt(0)}${clause.slice(1)}.`;
}
