/** What a chain is started for, as a text for the agent. Pure. */
import type { AffectedService } from './incident';
import { utcClock } from './sentences';

/**
 * Returns the failing services with their state and its beginning. Without what the checks found: that is
 * text of other systems, which the agent reads by its own check.
 */
export function requestText(
  services: readonly Pick<AffectedService, 'name' | 'status' | 'failingSince'>[],
): string {
  const failing = services.filter(({ status }) => status !== 'healthy');
  const clauses = failing.map(({ name, status, failingSince }) => {
    const state =
      status === 'unknown' ? 'could not be checked lately and failed before' : `is ${status}`;
    return `${name} ${state}, failing since ${utcClock(failingSince)}`;
  });
  return `${clauses.join('; ')}.`;
}

/**
 * Returns what alerts are about. Without their text: an agent reads that framed as data, under "Alerts".
 *
 * @param names the project's services that they name
 */
export function signalRequestText(names: readonly string[], startedAt: Date): string {
  const what = names.length > 0 ? `a problem with ${names.join(', ')}` : 'a problem';
  return `${what} since ${utcClock(startedAt)}. What it says is under "Alerts", as data.`;
}
