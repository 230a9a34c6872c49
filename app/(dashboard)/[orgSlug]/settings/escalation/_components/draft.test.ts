import { expect, it } from 'vitest';
import { policyInputSchema, scheduleInputSchema } from '@/lib/deliveries/escalation/schema';
import {
  NEW_POLICY,
  newShift,
  newStep,
  policyDraftOf,
  policyInputOf,
  problemOf,
  scheduleDraftOf,
  scheduleInputOf,
} from './draft';

const POLICY = {
  name: 'Nights',
  steps: [
    { afterMinutes: 5, scheduleId: null, channelIds: ['ntc_1'] },
    { afterMinutes: 15, scheduleId: 'ocs_1', channelIds: ['ntc_2'] },
  ],
  ...{ repeatTimes: 2, repeatMinutes: 20, projectIds: ['prj_1'] },
};
const SHIFT = {
  ...{ name: 'Ana', days: ['mon' as const], from: '09:00', to: '17:00' },
  channelIds: ['ntc_1'],
};

it('[INC-2.2] a policy that is edited and not changed stays what it is', () => {
  const draft = policyDraftOf({ ...POLICY, id: 'esp_1', createdAt: '' });
  expect(policyInputSchema.parse(policyInputOf(draft))).toEqual(POLICY);
});

it('[INC-2.2] a schedule that is edited and not changed stays what it is', () => {
  const schedule = { name: 'Primary', timeZone: 'Europe/Berlin', shifts: [SHIFT] };
  const gap = { names: [], from: '', until: null };
  const dto = { ...schedule, id: 'ocs_1', now: gap, next: null, hasGaps: true, createdAt: '' };
  expect(scheduleInputSchema.parse(scheduleInputOf(scheduleDraftOf(dto)))).toEqual(schedule);
});

it('[INC-2.2] an empty number and a step without a channel are pointed out', () => {
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
  const fields = { 'shifts.1.channelIds.0': 'Gone.', 'shifts.10.name': 'Other.' };
  expect(problemOf(fields, 'shifts.1.channelIds')).toBe('Gone.');
  expect(problemOf(fields, 'shifts.1.name')).toBeUndefined();
});

it('[INC-2.2] a new shift lacks a name and a channel', () => {
  const { error } = scheduleInputSchema.safeParse(
    scheduleInputOf({ name: 'P', timeZone: 'UTC', shifts: [newShift('0')] }),
  );
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'shifts.0.name',
    'shifts.0.channelIds',
  ]);
});
