'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  revokePingCheck as revoke,
  rotatePingCheck as rotate,
} from '@/lib/monitoring/manage-ping-checks';
import { revokePingCheckSchema } from '@/lib/monitoring/ping-schema';
import { snoozeService as snooze, wakeService as wake } from '@/lib/projects/pauses';

const serviceSchema = z.object({ project: z.string(), service: z.string() });

export const snoozeService = action(
  serviceSchema.extend({
    minutes: z
      .number('Enter a time, such as 20m or 1h 30m.')
      .int()
      .min(1, 'Snooze for at least 1m.')
      .max(30 * 24 * 60, 'Snooze for at most 30d.'),
    reason: z.string().trim().max(500, 'A reason has at most 500 characters.'),
  }),
  async ({ scope, input }) => {
    const until = new Date(Date.now() + input.minutes * 60_000);
    await snooze(
      scope,
      { project: input.project, name: input.service },
      { until, reason: input.reason },
    );
  },
);

export const wakeService = action(serviceSchema, async ({ scope, input }) => {
  await wake(scope, { project: input.project, name: input.service });
});

const pingCheckSchema = z.object({ project: z.string(), heartbeatId: z.string() });

/** Gives a heartbeat a new URL, which the page then shows. */
export const rotatePingCheck = action(pingCheckSchema, async ({ scope, input }) => {
  await rotate(scope, input);
});

/** Ends URLs of a heartbeat at once. */
export const revokePingCheck = action(
  pingCheckSchema.extend(revokePingCheckSchema.shape),
  async ({ scope, input }) => {
    await revoke(scope, input);
  },
);
