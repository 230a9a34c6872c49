/** Whether and for what the agent looks at an incident. Pure. */
import type { StartOn } from '@/lib/projects/monitoring-settings';
import type { Incident } from './incident';
import { requestText, signalRequestText } from './request-text';
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
