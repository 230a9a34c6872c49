import type { z } from 'zod';
import type { PolicyDto, policyInputSchema } from '@/lib/paging/schema';
import type { Choice } from './edit-form';

export interface StepDraft {
  /** Of the row in the form. */
  key: string;
  afterMinutes: string;
  /** Whether it notifies whoever is on call. */
  isOnCall: boolean;
  /** Of the calendar that it has, by id and name; null: none yet. */
  calendar: Choice | null;
  /** A new address; empty: that of the calendar. */
  calendarUrl: string;
  channelIds: readonly string[];
  memberIds: readonly string[];
}

/** A policy as entered in the form. */
export interface PolicyDraft {
  name: string;
  steps: readonly StepDraft[];
  repeatTimes: string;
  repeatMinutes: string;
  projectIds: readonly string[];
}

const EMPTY = {
  ...{ isOnCall: false, calendar: null, calendarUrl: '' },
  ...{ channelIds: [], memberIds: [] },
};

export function newStep(key: string, afterMinutes: number): StepDraft {
  return { key, afterMinutes: String(afterMinutes), ...EMPTY };
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
    steps: policy.steps.map(
      ({ afterMinutes, calendarId, calendar, channelIds, memberIds }, index) => ({
        key: String(index),
        afterMinutes: String(afterMinutes),
        isOnCall: calendarId !== null,
        calendar: calendarId === null ? null : { id: calendarId, name: calendar?.name ?? '' },
        calendarUrl: '',
        channelIds,
        memberIds,
      }),
    ),
    repeatTimes: String(policy.repeatTimes),
    repeatMinutes: String(policy.repeatMinutes),
    projectIds: policy.projectIds,
  };
}

/** Returns the input that saves it; the server validates every part again. */
export function policyInputOf(draft: PolicyDraft): z.input<typeof policyInputSchema> {
  return {
    name: draft.name,
    steps: draft.steps.map(
      ({ afterMinutes, isOnCall, calendar, calendarUrl, channelIds, memberIds }) => ({
        afterMinutes: numberOf(afterMinutes),
        calendarId: isOnCall ? (calendar?.id ?? null) : null,
        // An empty address without a calendar is pointed out by the server.
        ...(isOnCall && (calendarUrl !== '' || !calendar) ? { calendarUrl } : {}),
        channelIds: [...channelIds],
        memberIds: [...memberIds],
      }),
    ),
    repeatTimes: numberOf(draft.repeatTimes),
    repeatMinutes: numberOf(draft.repeatMinutes),
    projectIds: [...draft.projectIds],
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
