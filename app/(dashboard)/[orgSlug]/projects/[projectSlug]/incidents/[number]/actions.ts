'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { actionOf } from '@/app/_actions/action-of';
import { endsAfter } from '@/lib/identity/pauses';
import {
  acknowledgeIncident as acknowledge,
  silenceIncident as silence,
} from '@/lib/incidents/manage-incidents';
import * as incidents from '@/lib/operations/incidents';

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

export const endIncidentAcknowledgement = actionOf(incidents.endAcknowledgement);
export const endIncidentSilence = actionOf(incidents.endSilence);
export const resolveIncident = actionOf(incidents.resolve);
export const mergeIncident = actionOf(incidents.merge);

export const silenceIncident = action(
  z.object({ incidentId: z.string(), note, minutes }),
  async ({ scope, input }) => {
    const endsAt = endsAfter(input.minutes, new Date());
    await silence(scope, input.incidentId, { note: input.note, endsAt });
  },
);
