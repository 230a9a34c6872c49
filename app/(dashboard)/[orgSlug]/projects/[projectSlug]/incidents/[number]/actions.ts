'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { endsAfter } from '@/lib/identity/pauses/pauses';
import {
  acknowledgeIncident as acknowledge,
  endIncidentSilence as endSilence,
  endIncidentAcknowledgement as giveBack,
  resolveIncident as resolve,
  silenceIncident as silence,
} from '@/lib/incidents/manage-incidents';
import { mergeIncident as merge } from '@/lib/incidents/merge-incident';

const note = z.string().trim().max(300, 'A note has at most 300 characters.');

/** From now on; null: until it is resolved. */
const minutes = z
  .number('Enter a time, such as 30m or 4h.')
  .int()
  .positive()
  .nullable()
  .default(null);

export const acknowledgeIncident = action(
  z.object({ incidentId: z.string(), note, minutes }),
  async ({ scope, input }) => {
    const endsAt = endsAfter(input.minutes, new Date());
    await acknowledge(scope, input.incidentId, { note: input.note, endsAt });
  },
);

export const endIncidentAcknowledgement = action(
  z.object({ incidentId: z.string() }),
  async ({ scope, input }) => {
    await giveBack(scope, input.incidentId);
  },
);

export const resolveIncident = action(
  z.object({ incidentId: z.string(), note }),
  async ({ scope, input }) => {
    await resolve(scope, input.incidentId, { note: input.note });
  },
);

export const mergeIncident = action(
  z.object({ incidentId: z.string(), into: z.string(), note }),
  async ({ scope, input }) => {
    await merge(scope, input.incidentId, { into: input.into, note: input.note });
  },
);

export const silenceIncident = action(
  z.object({ incidentId: z.string(), note, minutes }),
  async ({ scope, input }) => {
    const endsAt = endsAfter(input.minutes, new Date());
    await silence(scope, input.incidentId, { note: input.note, endsAt });
  },
);

export const endIncidentSilence = action(
  z.object({ incidentId: z.string() }),
  async ({ scope, input }) => {
    await endSilence(scope, input.incidentId);
  },
);
