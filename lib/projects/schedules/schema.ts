import { z } from 'zod';
import { ENTER_A_SPAN, setting, text } from '../setting';

const timeZone = text(z.string(), {
  label: 'Time zone',
  doc: 'IANA time zone in which cron is read, such as `Europe/Berlin`.',
  control: { kind: 'time-zone' },
}).default('UTC');

const kind = {
  label: 'Kind of schedule',
  name: 'kind',
  doc: 'A fixed interval, a cron expression, or manual starts only.',
};

/** An interval is anchored to the epoch, so a restart shifts nothing. */
export const scheduleSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: setting(z.literal('interval'), kind),
    everySeconds: setting(
      z
        .number(ENTER_A_SPAN)
        .int()
        .min(30, 'The shortest interval is 30 seconds.')
        .max(7 * 86_400, 'The longest interval is 7 days.'),
      {
        label: 'Every',
        name: 'interval',
        doc: 'Seconds between two starts, counted from the epoch.',
        comment: 'seconds',
        control: { kind: 'span', perSecond: 1 },
      },
    ),
    timeZone,
  }),
  z.object({
    kind: z.literal('cron'),
    expression: text(
      z
        .string()
        .min(9, 'Enter five fields, such as */10 8-18 * * 1-5.')
        .max(100, 'A cron line has at most 100 characters.'),
      {
        label: 'Cron line',
        doc: 'Five cron fields: minute, hour, day of the month, month, day of the week.',
        control: { kind: 'text', isCode: true },
      },
    ),
    timeZone,
  }),
  /** Chains start only manually or through the API. */
  z.object({ kind: z.literal('manual'), timeZone }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;
