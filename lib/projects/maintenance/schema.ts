/** Maintenance windows: periods when a project’s problems are expected. */

import { z } from 'zod';
import { seconds, setting, text } from '../setting';

/** As a clock on the wall shows it, in the window's zone. */
const wallTimeSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Enter a date and time, such as 2026-12-01T22:00.');

const kind = { label: 'Opens', name: 'kind', doc: 'A single or a recurring window.' };

export const maintenanceWindowSchema = z.strictObject({
  name: text(
    z.string().trim().min(1, 'Enter a name.').max(80, 'A name has at most 80 characters.'),
    { label: 'Name', doc: 'Display name; shown as the reason when nothing starts.' },
  ),
  effect: setting(z.enum(['no_cycles', 'observe_only']), {
    label: 'While it is open',
    name: 'effect',
    doc: '`no_cycles`: nothing starts. `observe_only`: tier 1 observes, no higher tier starts.',
    control: {
      kind: 'select',
      choices: [
        { value: 'no_cycles', label: 'no chain starts' },
        { value: 'observe_only', label: 'tier 1 observes, no higher tier starts' },
      ],
    },
  }),
  timeZone: text(z.string(), {
    label: 'Time zone',
    doc: 'IANA time zone in which cron is read, such as `Europe/Berlin`.',
    control: { kind: 'time-zone' },
  }).default('UTC'),
  when: setting(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: setting(z.literal('once'), kind),
        startsAt: setting(wallTimeSchema, {
          label: 'From',
          doc: 'Date and time in the window’s time zone, such as `2026-12-01T22:00`.',
        }),
        endsAt: setting(wallTimeSchema, {
          label: 'To',
          doc: 'As `startsAt`; the window ends just before it.',
        }),
      }),
      z.strictObject({
        kind: z.literal('recurring'),
        expression: text(
          z
            .string()
            .min(9, 'Enter five fields, such as 0 22 * * 6.')
            .max(100, 'A cron line has at most 100 characters.'),
          {
            label: 'Start (cron)',
            doc: 'Five cron fields: minute, hour, day of the month, month, day of the week.',
            control: { kind: 'text', isCode: true },
          },
        ),
        durationSeconds: seconds(60, 7 * 86_400, {
          label: 'Each for',
          name: 'length',
          doc: 'Length of each window in seconds.',
        }),
      }),
    ]),
    { label: 'When', doc: 'Once, or repeatedly by a cron expression.' },
  ),
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
