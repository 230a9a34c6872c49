/** Paging policies as they are saved, stored and shown. */

import { z } from 'zod';
import { readFailureSchema } from './on-call';

const MAX_STEPS = 10;
const MAX_TARGETS = 10;
const MAX_AFTER_MINUTES = 7 * 24 * 60;
const MAX_REPEATS = 10;

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'A name has at most 60 characters.')
  .meta({ description: 'Display name, unique in the organization.' });

const ids = (noun: string) =>
  z
    .array(z.string())
    .max(MAX_TARGETS, `At most ${MAX_TARGETS} ${noun}.`)
    .transform((all) => [...new Set(all)])
    .default([]);

export const stepSchema = z
  .strictObject({
    afterMinutes: z
      .number('Enter minutes, such as 15.')
      .int()
      .min(0, 'A step comes 0 to 10080 minutes after the incident was announced.')
      .max(MAX_AFTER_MINUTES, 'A step comes 0 to 10080 minutes after the incident was announced.')
      .meta({
        description: 'Minutes without anyone working on the incident. Rises from step to step.',
      }),
    calendarId: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'A calendar, `cal_…`, that a step has. Notifies whoever is on call.' }),
    calendarUrl: z
      .string()
      .trim()
      .transform((url) => url.replace(/^webcals?:/i, 'https:'))
      .optional()
      .meta({
        description:
          'Instead of `calendarId`: a secret iCal address of who is on call. Never shown.',
      }),
    channelIds: ids('channels').meta({
      description: 'Channels, `ntc_…`. With a calendar, for when it leads to nobody.',
    }),
    memberIds: ids('members').meta({
      description:
        'Members, `mem_…`, who get an e-mail. With a calendar, for when it leads to nobody.',
    }),
    scheduleId: z.string().nullish().meta({
      description: 'Ignored, with a warning: schedules with weekly shifts were removed.',
    }),
  })
  .refine(
    (step) =>
      step.calendarId || step.calendarUrl !== undefined || step.channelIds[0] || step.memberIds[0],
    {
      path: ['channelIds'],
      message: 'Choose a channel, a member or a calendar.',
    },
  );
export type Step = z.infer<typeof stepSchema>;

export const stepsSchema = z
  .array(stepSchema)
  .min(1, 'Add at least one step.')
  .max(MAX_STEPS, `A policy has at most ${MAX_STEPS} steps.`)
  .superRefine((steps, context) => {
    steps.forEach(({ afterMinutes }, index) => {
      const before = steps[index - 1];
      if (!before || before.afterMinutes < afterMinutes) return;
      const message = `Step ${index + 1} has to come later than step ${index}.`;
      context.addIssue({ code: 'custom', path: [index, 'afterMinutes'], message });
    });
  })
  .meta({ description: 'Who is notified when, in order.' });

const repeatTimes = z
  .number('Enter a number.')
  .int()
  .min(0, 'The last step is repeated 0 to 10 times.')
  .max(MAX_REPEATS, 'The last step is repeated 0 to 10 times.')
  .meta({ description: 'How often the last step is repeated.' });
const repeatMinutes = z
  .number('Enter minutes, such as 30.')
  .int()
  .min(5, 'Steps are repeated every 5 to 1440 minutes.')
  .max(24 * 60, 'Steps are repeated every 5 to 1440 minutes.')
  .meta({ description: 'Minutes between repeats.' });

export const policyInputSchema = z.object({
  name,
  steps: stepsSchema,
  repeatTimes: repeatTimes.default(0),
  repeatMinutes: repeatMinutes.default(30),
  projectIds: z
    .array(z.string())
    .default([])
    .transform((ids) => [...new Set(ids)])
    .meta({ description: 'Projects that use it, by id or slug. A project uses at most one.' }),
});
export type PolicyInput = z.infer<typeof policyInputSchema>;

/** What an incident keeps of its policy. */
export const planSchema = z.object({ steps: stepsSchema, repeatTimes, repeatMinutes });
export type Plan = z.infer<typeof planSchema>;

/**
 * What became of a channel or a member that a step names. `sent`: notified by the step. `announced`: notified shortly
 * before, by a message about the incident itself, so the step sent nothing more. The others weren't notified.
 */
export const RECIPIENT_RESULTS = [
  'sent',
  'announced',
  'muted',
  'disabled',
  'deleted',
  'no_mail',
] as const;

const recipientSchema = z.object({
  /** Null for a channel that was deleted, and a member who has left. */
  name: z.string().nullable(),
  result: z.enum(RECIPIENT_RESULTS),
});
export type Recipient = z.infer<typeof recipientSchema>;

/** Who a step notified. */
export const recipientsSchema = z.object({
  channels: z.array(recipientSchema),
  members: z.array(recipientSchema).default([]),
  /** Name of the calendar that the step names, or formerly of its schedule; null without one. */
  calendar: z.string().nullable(),
  /** Names of the members who were on call; empty: nobody. */
  onCall: z.array(z.string()),
  /** What the calendar names instead of a member. */
  unknown: z.array(z.string()).default([]),
  /** Why nobody knows who is on call; null if the calendar was read. */
  failure: readFailureSchema.extend({ since: z.iso.datetime() }).nullable().default(null),
  /**
   * Set once in a run, by the step after which no other reaches anybody: whether that was reported to the admins,
   * or only in the feed, since neither mail nor another channel could.
   */
  reportedTo: z.enum(['admins', 'feed']).nullable().default(null),
});
export type Recipients = z.infer<typeof recipientsSchema>;

const calendarDtoSchema = z.object({
  name: z.string().meta({ description: 'What it calls itself; until it is read, its host.' }),
  readAt: z
    .string()
    .nullable()
    .meta({ description: 'When it was last read successfully; null: never.' }),
  failure: z
    .string()
    .nullable()
    .meta({ description: 'Since when and why nobody knows who is on call, in a clause.' }),
  onCall: z.array(z.string()).meta({ description: 'Members who are on call now.' }),
  unknown: z
    .array(z.string())
    .meta({ description: 'Whom it names now who isn’t a member: e-mail or title of the event.' }),
});
export type CalendarDto = z.infer<typeof calendarDtoSchema>;

export const policyDtoSchema = z.object({
  /** `esp_…` */
  id: z.string(),
  name: z.string(),
  steps: z.array(
    z.object({
      afterMinutes: z.number().int(),
      calendarId: z.string().nullable(),
      calendar: calendarDtoSchema.nullable(),
      channelIds: z.array(z.string()),
      memberIds: z.array(z.string()),
    }),
  ),
  repeatTimes: z.number().int(),
  repeatMinutes: z.number().int(),
  projectIds: z.array(z.string()).meta({ description: 'Projects that use it, `prj_…`.' }),
  createdAt: z.string(),
  warnings: z.array(z.string()).meta({ description: 'Fields that were ignored, and why.' }),
});
export type PolicyDto = z.infer<typeof policyDtoSchema>;
