/** Alerts of other systems end, or none has fired for the whole window. Pure. */
import { z } from 'zod';
import { firingSignalsSchema, isActive } from '../incident';
import { holdsOpen } from '../signals-of-incident';
import { needHuman, over, quiet, verifyIfWell } from '../transitions';
import { eventKind, quotedSignals, signalsText } from './event-kind';

/**
 * That a source reports the end proves nothing, so the incident is verified; while checks fail or another alert
 * fires, not even that. If nobody knows how it ended, people have to look.
 */
export const alertEnded = eventKind({
  schema: z.object({
    ...quotedSignals,
    firing: firingSignalsSchema,
    /** Nothing is received about one of them any longer, and no check covers it. */
    isUnknown: z.boolean(),
  }),
  apply(incident, { firing, isUnknown }, at) {
    const after = { ...incident, alerts: incident.alerts && { ...incident.alerts, firing } };
    if (!isActive(incident) || holdsOpen(after)) return quiet(after);
    return isUnknown ? needHuman(after, null, at) : verifyIfWell(after, at);
  },
  text(event) {
    const what = signalsText(event);
    if (event.isUnknown) {
      return `${what}: nothing has been received about it for so long that nobody knows how it ended.`;
    }
    const isStale = event.alerts.every(({ status }) => status === 'stale');
    if (isStale) return `${what}: nothing has been received about it for long. The checks decide.`;
    return `${what}: the source reports the end.`;
  },
});

/**
 * No alert has fired for the whole window, and there is nothing to check; with `isFinding`, chains have found
 * services healthy that no check watches.
 */
export const alertsQuiet = eventKind({
  schema: z.object({ isFinding: z.boolean().optional() }),
  apply: (incident, _event, at) => over(incident, { resolution: 'reported' }, at),
  text: ({ isFinding }) =>
    isFinding
      ? 'No chain has found a failure for the whole window, and no check confirms the recovery. It is resolved.'
      : 'No alert has fired for the whole window. That is what the sources report, and no check confirms it. It is resolved.',
});
