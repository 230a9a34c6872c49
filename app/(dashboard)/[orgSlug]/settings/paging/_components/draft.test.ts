import { expect, it } from 'vitest';
import { policyInputSchema } from '@/lib/paging/schema';
import { NEW_POLICY, newStep, policyDraftOf, policyInputOf, problemOf } from './draft';

const POLICY = {
  name: 'Nights',
  steps: [
    { afterMinutes: 5, calendarId: null, channelIds: ['ntc_1'], memberIds: ['mem_1'] },
    { afterMinutes: 15, calendarId: 'cal_1', channelIds: ['ntc_2'], memberIds: [] },
  ],
  ...{ repeatTimes: 2, repeatMinutes: 20, projectIds: ['prj_1'] },
};

const CALENDAR = { name: 'Primary', readAt: null, onCall: [], unknown: [], failure: null };
const dtoOf = (policy: typeof POLICY) => ({
  ...{ ...policy, id: 'esp_1', createdAt: '', warnings: [] },
  steps: policy.steps.map((step) => ({ ...step, calendar: step.calendarId ? CALENDAR : null })),
});

it('[INC-2.2] a step keeps its calendar until another address is entered or it isn’t asked', () => {
  const [, step] = policyDraftOf(dtoOf(POLICY)).steps;
  const inputOf = (changes: object) =>
    policyInputOf({ ...NEW_POLICY, steps: step ? [{ ...step, ...changes }] : [] }).steps[0];
  expect(inputOf({})).not.toHaveProperty('calendarUrl');
  expect(inputOf({ calendarUrl: 'https://a.example' })).toMatchObject({
    calendarUrl: 'https://a.example',
  });
  expect(inputOf({ calendar: null })).toMatchObject({ calendarId: null, calendarUrl: '' });
  expect(inputOf({ isOnCall: false })).toMatchObject({ calendarId: null });
});

it('[INC-2.2] a policy that is edited and not changed stays what it is', () => {
  const draft = policyDraftOf(dtoOf(POLICY));
  expect(policyInputSchema.parse(policyInputOf(draft))).toEqual(POLICY);
});

it('[INC-2.2] an empty number and a step that notifies nobody are pointed out', () => {
  const input = policyInputOf({
    ...NEW_POLICY,
    name: 'A',
    repeatTimes: '',
    steps: [newStep('0', 5)],
  });
  const paths = policyInputSchema.safeParse(input).error?.issues.map(({ path }) => path.join('.'));
  expect(paths?.toSorted()).toEqual(['repeatTimes', 'steps.0.channelIds']);
});

it('[INC-2.2] steps have to come one after the other', () => {
  const steps = [15, 15].map((minutes) => ({ ...newStep('0', minutes), channelIds: ['ntc_1'] }));
  const { error } = policyInputSchema.safeParse(policyInputOf({ ...NEW_POLICY, name: 'A', steps }));
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['steps.1.afterMinutes', 'Step 2 has to come later than step 1.'],
  ]);
});

it('[INC-2.2] a problem is found at its field or below it', () => {
  const fields = { 'steps.1.channelIds.0': 'Gone.', 'steps.10.calendarId': 'Other.' };
  expect(problemOf(fields, 'steps.1.channelIds')).toBe('Gone.');
  expect(problemOf(fields, 'steps.1.calendarId')).toBeUndefined();
});
