/** Escalation policies and on-call schedules as they are saved, stored and shown. */

import { z } from 'zod';
import { timeZoneSchema, weeklyFields } from '../week';

const MAX_STEPS = 10;
const MAX_SHIFTS = 50;
const MAX_TARGETS = 10;
const MAX_AFTER_MINUTES = 7 * 24 * 60;
const MAX_REPEATS = 10;

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'A name has at most 60 characters.')
  .meta({ description: 'Display name, unique in the organization.' });

const channelIds = z
  .array(z.string())
  .min(1, 'Choose at least one channel.')
  .max(MAX_TARGETS, `At most ${MAX_TARGETS} channels.`)
  .transform((ids) => [...new Set(ids)]);

export const shiftSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter who is on call, such as Ana.')
    .max(60, 'A name has at most 60 characters.')
    .meta({ description: 'Who is on call.' }),
  ...weeklyFields,
  channelIds: channelIds.meta({ description: 'How they are notified: channels, `ntc_…`.' }),
});
export type Shift = z.infer<typeof shiftSchema>;

export const shiftsSchema = z
  .array(shiftSchema)
  .min(1, 'Add at least one shift.')
  .max(MAX_SHIFTS, `A schedule has at most ${MAX_SHIFTS} shifts.`)
  .meta({ description: 'Who is on call when. Everyone whose shift it is, if they overlap.' });

export const scheduleInputSchema = z.object({
  name,
  timeZone: timeZoneSchema,
  shifts: shiftsSchema,
});
export type ScheduleInput = z.infer<typeof scheduleInputSchema>;

export const stepSchema = z.strictObject({
  afterMinutes: z
    .number('Enter minutes, such as 15.')
    .int()
    .min(0, 'A step comes 0 to 10080 minutes after the incident was announced.')
    .max(MAX_AFTER_MINUTES, 'A step comes 0 to 10080 minutes after the incident was announced.')
    .meta({
      description: 'Minutes without anyone working on the incident. Rises from step to step.',
    }),
  scheduleId: z.string().nullable().default(null).meta({
    description: 'Notifies whoever is on call, by `ocs_…`; null: the channels.',
  }),
  channelIds: channelIds.meta({
    description: 'Channels, `ntc_…`. With a schedule, for when nobody is on call.',
  }),
});
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
 * What became of a channel of a step. `sent`: notified by the step. `announced`: notified shortly before, by a
 * message about the incident itself, so the step sent nothing more. The others weren't notified.
 */
export const RECIPIENT_RESULTS = ['sent', 'announced', 'muted', 'disabled', 'deleted'] as const;

const recipientSchema = z.object({
  /** Null for a channel that was deleted. */
  name: z.string().nullable(),
  result: z.enum(RECIPIENT_RESULTS),
});
export type Recipient = z.infer<typeof recipientSchema>;

/** Who a step notified. */
export const recipientsSchema = z.object({
  channels: z.array(recipientSchema),
  /** The schedule that the step names; null without one. */
  schedule: z.string().nullable(),
  /** Who was on call; empty: nobody. */
  onCall: z.array(z.string()),
  /**
   * Set once in a run, by the step after which no other reaches anybody: whether that was reported to the admins,
   * or only in the feed, since neither mail nor another channel could.
   */
  reportedTo: z.enum(['admins', 'feed']).nullable().default(null),
});
export type Recipients = z.infer<typeof recipientsSchema>;

/** Returns whether a step notified anybody, or somebody had just been notified. */
export function isAnyoneReached({ channels }: Pick<Recipients, 'channels'>): boolean {
  return channels.some(({ result }) => result === 'sent' || result === 'announced');
}

/** `Ana is disabled, Ben is muted, a channel was deleted`: why channels weren't notified; empty if all were. */
export function unreachedWords({ channels }: Pick<Recipients, 'channels'>): string {
  return channels
    .flatMap(({ name, result }) => {
      if (result === 'deleted') return ['a channel was deleted'];
      return result === 'muted' || result === 'disabled' ? [`${name} is ${result}`] : [];
    })
    .join(', ');
}

const onCallDtoSchema = z.object({
  /** Null: nobody is. */
  names: z.array(z.string()).meta({ description: 'Who is on call; empty: nobody, a gap.' }),
  from: z.string().meta({ description: 'Since when, or from when on.' }),
  until: z
    .string()
    .nullable()
    .meta({ description: 'Until when; null: it doesn’t change within a week.' }),
});
export type OnCallDto = z.infer<typeof onCallDtoSchema>;

export const scheduleDtoSchema = z.object({
  /** `ocs_…` */
  id: z.string(),
  name: z.string(),
  timeZone: z.string(),
  shifts: z.array(
    z.object({
      name: z.string(),
      days: weeklyFields.days.meta({ description: 'The days on which it begins.' }),
      from: z.string(),
      to: z.string(),
      channelIds: z.array(z.string()),
    }),
  ),
  now: onCallDtoSchema.meta({ description: 'Who is on call now.' }),
  next: onCallDtoSchema.nullable().meta({ description: 'Who is next; null: it doesn’t change.' }),
  hasGaps: z.boolean().meta({ description: 'Whether nobody is on call at some time of the week.' }),
  createdAt: z.string(),
});
export type ScheduleDto = z.infer<typeof scheduleDtoSchema>;

export const policyDtoSchema = z.object({
  /** `esp_…` */
  id: z.string(),
  name: z.string(),
  steps: z.array(
    z.object({
      afterMinutes: z.number().int(),
      scheduleId: z.string().nullable(),
      channelIds: z.array(z.string()),
    }),
  ),
  repeatTimes: z.number().int(),
  repeatMinutes: z.number().int(),
  projectIds: z.array(z.string()).meta({ description: 'Projects that use it, `prj_…`.' }),
  createdAt: z.string(),
});
export type PolicyDto = z.infer<typeof policyDtoSchema>;
