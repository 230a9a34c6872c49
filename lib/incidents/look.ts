/** Whether and for what the agent looks at an incident. Pure. */
import type { StartOn } from '@/lib/projects/monitoring-settings';
import type { AffectedService, Incident } from './incident';
import { utcClock } from './sentences';
import { anySignalFires, serviceNamesOf } from './signals-of-incident';

export type Look =
  | { trigger: 'check' | 'alert'; prompt: string }
  /** The settings start no chain: one sentence for people. */
  | { trigger: null; text: string };

/** Returns what a look is started for: failing checks before alerts, as far as the settings start it. */
export function decideLook(
  incident: Pick<Incident, 'services' | 'alerts' | 'startedAt'>,
  startOn: StartOn,
): Look {
  const { services, startedAt } = incident;
  const isFiring = anySignalFires(incident);
  const fails = services.some(({ status }) => status !== 'healthy') || !isFiring;
  if (fails && startOn.checkChange) return { trigger: 'check', prompt: requestText(services) };
  if (isFiring && startOn.alert) {
    const names = serviceNamesOf(incident);
    return { trigger: 'alert', prompt: signalRequestText(names, startedAt) };
  }
  const when = fails ? 'when checks fail' : 'when alerts fire';
  return { trigger: null, text: `The project’s settings start no chain ${when}.` };
}

/**
 * Returns the failing services with their state and its beginning. Without what the checks found: that is
 * text of other systems, which the agent reads by its own check.
 */
function requestText(
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
function signalRequestText(names: readonly string[], startedAt: Date): string {
  const what = names.length > 0 ? `a problem with ${names.join(', ')}` : 'a problem';
  return `${what} since ${utcClock(startedAt)}. What it says is under "Alerts", as data.`;
}
