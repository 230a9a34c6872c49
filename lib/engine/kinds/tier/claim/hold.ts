/** Whether people, or the calendar, have said something that keeps an attempt from starting. */

import { pausedOf } from '@/lib/identity/pauses/pauses';
import { openWindow, openWindowClause } from '@/lib/projects/maintenance/window';
import type { ClaimFacts } from './facts';

export type StartHold =
  /** It starts once the pause or the window is over. */
  | { kind: 'wait'; code: 'PAUSED' | 'MAINTENANCE'; sentence: string }
  /** There is nothing left that it should do: the chain ends. */
  | {
      kind: 'end';
      reason: 'SNOOZED' | 'ACKNOWLEDGED';
      sentence: string;
      services: readonly string[];
    };

type HoldFacts = Pick<
  ClaimFacts,
  'organization' | 'project' | 'session' | 'holds' | 'live' | 'affected'
>;

/** Asked at every claim, since it may have been said after the attempt was queued. */
export function startHold(facts: HoldFacts, now: Date): StartHold | null {
  return pauseHold(facts) ?? maintenanceHold(facts, now) ?? servicesHold(facts);
}

function pauseHold({ organization, project, session, holds }: HoldFacts): StartHold | null {
  const { tier } = session;
  const then = `Tier ${tier} starts once it is resumed.`;
  const paused = pausedOf({ organization, project });
  const tierPause = holds.tierPauses.find((pause) => pause.tier === tier);
  if (!paused && !tierPause) return null;
  const what = paused?.name ?? `Tier ${tier} of ${project.name}`;
  const by = (paused ?? tierPause)?.by ?? 'someone';
  return { kind: 'wait', code: 'PAUSED', sentence: `${what} is paused by ${by}. ${then}` };
}

function maintenanceHold({ live, session }: HoldFacts, now: Date): StartHold | null {
  const window = openWindow(live.maintenance, now);
  if (!window || (window.effect === 'observe_only' && session.tier === 1)) return null;
  const sentence = `Tier ${session.tier} waits: ${openWindowClause(window)}.`;
  return { kind: 'wait', code: 'MAINTENANCE', sentence };
}

function servicesHold({ session, holds, affected }: HoldFacts): StartHold | null {
  if (session.tier === 1 || affected.length === 0) return null;
  const snoozed = holds.snoozes.map(({ service }) => service);
  const isSnoozed = (name: string) => snoozed.includes(name);
  if (affected.every(isSnoozed)) {
    const sentence = `Tier ${session.tier} was not started: ${affected.join(', ')} ${affected.length > 1 ? 'were' : 'was'} snoozed meanwhile.`;
    return { kind: 'end', reason: 'SNOOZED', sentence, services: affected };
  }
  const taken = holds.inHand.filter(({ service }) => affected.includes(service));
  const isTaken = (name: string) => taken.some(({ service }) => service === name);
  const [first] = taken;
  if (!first || !affected.every((name) => isSnoozed(name) || isTaken(name))) return null;
  const sentence = `Tier ${session.tier} was not started: ${first.by} has ${affected.join(', ')} in hand since #${first.chainNumber}.`;
  return { kind: 'end', reason: 'ACKNOWLEDGED', sentence, services: affected };
}
