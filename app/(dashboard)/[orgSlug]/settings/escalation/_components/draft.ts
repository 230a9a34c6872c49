import type { z } from 'zod';
import type { WeeklyDraft } from '@/app/_components/deliveries/weekly-fields';
import type {
  PolicyDto,
  policyInputSchema,
  ScheduleDto,
  scheduleInputSchema,
} from '@/lib/deliveries/escalation/schema';

export interface StepDraft {
  /** Of the row in the form. */
  key: string;
  afterMinutes: string;
  /** `ocs_…`; empty: the channels. */
  scheduleId: string;
  channelIds: readonly string[];
}

/** A policy as entered in the form. */
export interface PolicyDraft {
  name: string;
  steps: readonly StepDraft[];
  repeatTimes: string;
  repeatMinutes: string;
  projectIds: readonly string[];
}

export interface ShiftDraft extends WeeklyDraft {
  key: string;
  name: string;
  channelIds: readonly string[];
}

/** A schedule as entered in the form. */
export interface ScheduleDraft {
  name: string;
  timeZone: string;
  shifts: readonly ShiftDraft[];
}

export function newStep(key: string, afterMinutes: number): StepDraft {
  return { key, afterMinutes: String(afterMinutes), scheduleId: '', channelIds: [] };
}

export function newShift(key: string): ShiftDraft {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
  return { key, name: '', days, from: '09:00', to: '17:00', channelIds: [] };
}

export const NEW_POLICY: PolicyDraft = {
  name: '',
  steps: [newStep('0', 10)],
  repeatTimes: '3',
  repeatMinutes: '30',
  projectIds: [],
};

export function policyDraftOf(policy: PolicyDto): PolicyDraft {
  return {
    name: policy.name,
    steps: policy.steps.map(({ afterMinutes, scheduleId, channelIds }, index) => ({
      key: String(index),
      afterMinutes: String(afterMinutes),
      scheduleId: scheduleId ?? '',
      channelIds,
    })),
    repeatTimes: String(policy.repeatTimes),
    repeatMinutes: String(policy.repeatMinutes),
    projectIds: policy.projectIds,
  };
}

export function scheduleDraftOf({ name, timeZone, shifts }: ScheduleDto): ScheduleDraft {
  return {
    name,
    timeZone,
    shifts: shifts.map((shift, index) => ({ ...shift, key: String(index) })),
  };
}

/** Returns the input that saves it; the server validates every part again. */
export function policyInputOf(draft: PolicyDraft): z.input<typeof policyInputSchema> {
  return {
    name: draft.name,
    steps: draft.steps.map(({ afterMinutes, scheduleId, channelIds }) => ({
      afterMinutes: numberOf(afterMinutes),
      scheduleId: scheduleId || null,
      channelIds: [...channelIds],
    })),
    repeatTimes: numberOf(draft.repeatTimes),
    repeatMinutes: numberOf(draft.repeatMinutes),
    projectIds: [...draft.projectIds],
  };
}

export function scheduleInputOf(draft: ScheduleDraft): z.input<typeof scheduleInputSchema> {
  return {
    ...{ name: draft.name, timeZone: draft.timeZone },
    shifts: draft.shifts.map(({ name, days, from, to, channelIds }) => ({
      ...{ name, from, to, days: [...days], channelIds: [...channelIds] },
    })),
  };
}

/** An empty field is no number, which the server's answer points out. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** Returns what is wrong at a path or below it; undefined if nothing is. */
export function problemOf(
  fields: Readonly<Record<string, string>>,
  path: string,
): string | undefined {
  return Object.entries(fields).find(([each]) => each === path || each.startsWith(`${path}.`))?.[1];
}
