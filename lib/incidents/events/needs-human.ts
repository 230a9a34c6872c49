/** Nothing has helped for too long. Pure. */
import { z } from 'zod';
import { unprovenChecksSchema } from '../incident';
import { unprovenSentence } from '../sentences';
import { failsAgain, needHuman, quiet } from '../transitions';
import { eventKind } from './event-kind';

export const needsHuman = eventKind({
  schema: z.object({
    /** The verification took too long, because these checks give no proof. */
    unproven: unprovenChecksSchema.optional(),
  }),
  apply(incident, { unproven }, at) {
    if (!unproven) return needHuman(incident, null, at);
    // Nothing fails, as far as is known, but no result will prove it soon.
    if (incident.state !== 'verifying') return quiet(incident);
    return needHuman(failsAgain(incident), null, at, unproven);
  },
  text: ({ unproven }) =>
    unproven
      ? `The verification took too long, so it needs a human. ${unprovenSentence(unproven)}`
      : 'It still fails after the last chain, so it needs a human.',
});
