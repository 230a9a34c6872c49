import { expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import { chooseRecipients } from './recipients';
import type { Step } from './schema';

const uuid = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;
const channelId = (digit: number) => encodeId('ntc', uuid(digit));
const CHANNELS = [
  { id: uuid(1), name: 'Slack' },
  { id: uuid(2), name: 'Ana’s phone' },
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
    '',
  ],
  ['the step’s channels if the schedule was deleted', step('ocs_gone'), THURSDAY, [], 'Slack', ''],
  ['nobody who was notified since it was due', step(null), THURSDAY, [1], '', ''],
  ['nobody of a step that is gone', undefined, THURSDAY, [], '', ''],
])('[INC-2.2] a step notifies %s', (_, of, now, announced, notified, onCall) => {
  const { notify, recipients } = chooseRecipients(
    of,
    [SCHEDULE],
    CHANNELS,
    announced.map(uuid),
    new Date(now),
  );
  expect(notify.map(({ name }) => name).join()).toBe(notified);
  expect(recipients.onCall.join()).toBe(onCall);
});

it('[INC-2.2] a step records whom an earlier message had reached already', () => {
  const { recipients } = chooseRecipients(step(null), [], CHANNELS, [uuid(1)], new Date(THURSDAY));
  expect(recipients).toEqual({
    channels: [{ name: 'Slack', result: 'announced' }],
    schedule: null,
    onCall: [],
  });
});
