/**
 * Decides whether work may start now: a slot of the schedule, a person's request, the next tier, a
 * claim, a turn of a conversation. All of them call `closedGate`, so a closed gate has the same
 * reason everywhere.
 */
import { approvalGate } from './approval-gate';
import type { StartFacts } from './facts';
import type { ClosedGate, Gate } from './gate';
import { canaryGate, confinementGate, poolGate } from './host-gates';
import { inHandGate, pauseGate, snoozeGate } from './request-gates';
import { dryRunGate, maintenanceGate, tierGate } from './setting-gates';
import { budgetGate, cooldownGate, runningGate } from './usage-gates';

// What a person requested comes before what they configured, and both before what is used up:
// nobody is called for a service that they have just snoozed.
const GATES: readonly Gate[] = [
  snoozeGate,
  inHandGate,
  pauseGate,
  maintenanceGate,
  tierGate,
  dryRunGate,
  runningGate,
  budgetGate,
  poolGate,
  confinementGate,
  canaryGate,
  cooldownGate,
  // Last, because nobody is asked about a start that wouldn't happen anyway.
  approvalGate,
];

/** Returns the first closed gate; null if the work may start. */
export function closedGate(facts: StartFacts, now: Date): ClosedGate | null {
  for (const gate of GATES) {
    const closed = gate(facts, now);
    if (closed) return closed;
  }
  return null;
}
