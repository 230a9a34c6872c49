/** The incident is over: its checks have passed for the whole window, or a person says so. Pure. */
import { z } from 'zod';
import { factsOf } from '../incident';
import { over } from '../transitions';
import { eventKind, noted } from './event-kind';

export const verified = eventKind({
  schema: z.unknown(),
  apply(incident, _event, at) {
    const { fixChainId } = factsOf(incident);
    return over(
      incident,
      fixChainId ? { resolution: 'fixed', fixChainId } : { resolution: 'recovered' },
      at,
    );
  },
  text: () => 'All checks have passed for the whole window. It is resolved.',
});

export const resolved = eventKind({
  schema: z.object({ by: z.string(), note: z.string() }),
  apply: (incident, { by }, at) => over(incident, { resolution: 'manual', resolvedBy: by }, at),
  text: ({ by, note }) => `${by} resolved it.${noted(note)}`,
  isByPerson: true,
});
