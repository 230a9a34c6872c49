'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { endsAfter } from '@/lib/identity/pauses/pauses';
import {
  acknowledgeIncident as acknowledge,
  endIncidentAcknowledgement as giveBack,
  resolveIncident as resolve,
} from '@/lib/incidents/manage-incidents';

const note = z.string().trim().max(300, 'A note has at most 300 characters.');

export const acknowledgeIncident = action(
  z.object({
    incidentId: z.string(),
    note,
    /** From now on; null: until it is resolved. */
    minutes: z.number('Enter a time, such as 30m or 4h.').int().positive().nullable().default(null),
  }),
  async ({ scope, input }) => {
    const { incidentId, minutes } = input;
    const endsAt = endsAfter(minutes, new Date());
    await acknowledge(scope, incidentId, { note: input.note, endsAt });
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
