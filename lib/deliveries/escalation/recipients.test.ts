import { describe, expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import { chooseRecipients, chooseStep } from './recipients';
import { type Step, unreachedWords } from './schema';

const uuid = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;
const channelId = (digit: number) => encodeId('ntc', uuid(digit));
const ON = { disabledAt: null, disabledReason: null };
const off = (disabledReason: string) => ({ disabledAt: new Date(0), disabledReason });
const CHANNELS = [
  { id: uuid(1), name: 'Slack', ...ON },
  { id: uuid(2), name: 'Ana’s phone', ...ON },
  { id: uuid(4), name: 'Ben’s phone', ...off('muted') },
  { id: uuid(5), name: 'Pager', ...off('rejected') },
];
const SCHEDULE = {
  id: uuid(9),
  name: 'Primary',
  timeZone: 'UTC',
  shifts: [
    { name: 'Ana', days: ['thu' as const], from: '09:00', to: '17:00', channelIds: [channelId(2)] },
    { name: 'Ben', days: ['fri' as const], from: '09:00', to: '17:00', channelIds: [channelId(3)] },
  ],
};
const step = (scheduleId: string | null): Step => ({
  ...{ afterMinutes: 0, scheduleId },
  channelIds: [channelId(1)],
});
const ON_CALL = step(encodeId('ocs', uuid(9)));
const factsAt = (now: string, announced: readonly number[] = []) => ({
  ...{ schedules: [SCHEDULE], channels: CHANNELS, now: new Date(now) },
  announced: announced.map(uuid),
});
const THURSDAY = '2026-11-26T12:00Z';

it.each<[string, Step | undefined, string, number[], string, string]>([
  ['channels without a schedule', step(null), THURSDAY, [], 'Slack', ''],
  ['who is on call', ON_CALL, THURSDAY, [], 'Ana’s phone', 'Ana'],
  ['the step’s channels in a gap', ON_CALL, '2026-11-26T18:00Z', [], 'Slack', ''],
  [
    'the step’s channels if those on call have none that is on',
    ON_CALL,
    '2026-11-27T12:00Z',
    [],
    'Slack',
    'Ben',
  ],
  ['the step’s channels if the schedule was deleted', step('ocs_gone'), THURSDAY, [], 'Slack', ''],
  ['nobody who was notified since it was due', step(null), THURSDAY, [1], '', ''],
  ['nobody of a step that is gone', undefined, THURSDAY, [], '', ''],
])('[INC-2.2] a step notifies %s', (_, of, now, announced, notified, onCall) => {
  const { notify, recipients } = chooseRecipients(of, factsAt(now, announced));
  expect(notify.map(({ name }) => name).join()).toBe(notified);
  expect(recipients.onCall.join()).toBe(onCall);
});

it('[INC-2.2] a step records whom an earlier message had reached already', () => {
  const { recipients } = chooseRecipients(step(null), factsAt(THURSDAY, [1]));
  expect(recipients).toEqual({
    channels: [{ name: 'Slack', result: 'announced' }],
    ...{ schedule: null, onCall: [], reportedTo: null },
  });
});

const naming = (...digits: number[]): Step => ({
  ...{ afterMinutes: 0, scheduleId: null },
  channelIds: digits.map(channelId),
});

it('[INC-2.2] a step records which of its channels it couldn’t notify, and why', () => {
  const { isReached, recipients } = chooseRecipients(naming(4, 5, 6), factsAt(THURSDAY));
  expect(isReached).toBe(false);
  expect(recipients.channels).toEqual([
    { name: 'Ben’s phone', result: 'muted' },
    { name: 'Pager', result: 'disabled' },
    { name: null, result: 'deleted' },
  ]);
  expect(unreachedWords(recipients)).toBe(
    'Ben’s phone is muted, Pager is disabled, a channel was deleted',
  );
});

describe('[INC-2.2] of the steps', () => {
  const due = { number: 2, skipped: [1] };
  const plan = (...steps: Step[]) => ({ steps, repeatTimes: 0, repeatMinutes: 30 });

  it.each<[string, Step[], number[], number | null, string, number[]]>([
    ['the due one is sent', [naming(1), naming(2), naming(1)], [], 2, 'Ana’s phone', [2]],
    [
      'one that was skipped, if that reaches nobody',
      [naming(1), naming(4)],
      [],
      1,
      'Slack',
      [1, 2],
    ],
    ['the next one, at once', [naming(5), naming(4), naming(2)], [], 3, 'Ana’s phone', [1, 2, 3]],
    [
      'the next one at its time, if it would repeat a message',
      [naming(5), naming(4), naming(1)],
      [1],
      3,
      '',
      [1, 2],
    ],
    ['none, if none reaches anybody', [naming(5), naming(4), naming(6)], [], null, '', [1, 2, 3]],
  ])('%s', (_, steps, announced, number, notified, over) => {
    const { send, tried } = chooseStep(plan(...steps), due, factsAt(THURSDAY, announced));
    expect(send?.number ?? null).toBe(number);
    expect(send?.notify.map(({ name }) => name).join() ?? '').toBe(notified);
    expect([...tried.keys()].toSorted()).toEqual(over);
  });
});
