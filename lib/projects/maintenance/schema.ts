/** Maintenance windows: periods when a project’s problems are expected. */

import { z } from 'zod';

/** As a clock on the wall shows it, in the window's zone. */
const wallTimeSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Enter a date and time, such as 2026-12-01T22:00.');

export const maintenanceWindowSchema = z.strictObject({
  name: z.string().trim().min(1, 'Enter a name.').max(80, 'A name has at most 80 characters.'),
  /** no_cycles: nothing starts; observe_only: tier 1 observes, no higher tier starts. */
  effect: z.enum(['no_cycles', 'observe_only']),
  timeZone: z.string().default('UTC'),
  when: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('once'),
      startsAt: wallTimeSchema,
      /** The window ends just before it. */
      endsAt: wallTimeSchema,
    }),
    z.strictObject({
      kind: z.literal('recurring'),
      /** Five fields: when each window begins. */
      expression: z
        .string()
        .min(9, 'Enter five fields, such as 0 22 * * 6.')
        .max(100, 'A cron line has at most 100 characters.'),
      durationSeconds: z
        .number('Enter a time, such as 2h or 90m.')
        .int()
        .min(60, 'A window must last 1m to 7d.')
        .max(7 * 86_400, 'A window must last 1m to 7d.'),
    }),
  ]),
});
export type MaintenanceWindow = z.infer<typeof maintenanceWindowSchema>;
type MaintenanceEffect = MaintenanceWindow['effect'];

export const maintenanceSchema = z
  .array(maintenanceWindowSchema)
  .max(20, 'A project has at most 20 maintenance windows.')
  .default([]);

/** One time that a window is open. */
export interface OpenWindow {
  name: string;
  effect: MaintenanceEffect;
  startsAt: Date;
  endsAt: Date;
}
