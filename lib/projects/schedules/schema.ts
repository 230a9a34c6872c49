import { z } from 'zod';

export const ENTER_A_SPAN = 'Enter a time, such as 10m or 1h 30m.';

/** An interval is anchored to the epoch, so a restart shifts nothing. */
export const scheduleSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('interval'),
    everySeconds: z
      .number(ENTER_A_SPAN)
      .int()
      .min(30, 'The shortest interval is 30 seconds.')
      .max(7 * 86_400, 'The longest interval is 7 days.'),
    timeZone: z.string().default('UTC'),
  }),
  z.object({
    kind: z.literal('cron'),
    /** Five fields. */
    expression: z
      .string()
      .min(9, 'Enter five fields, such as */10 8-18 * * 1-5.')
      .max(100, 'A cron line has at most 100 characters.'),
    timeZone: z.string().default('UTC'),
  }),
  /** Chains start only manually or through the API. */
  z.object({ kind: z.literal('manual'), timeZone: z.string().default('UTC') }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;
