import { expect, it } from 'vitest';
import type { LogRow } from './events';
import { minimapTicks } from './minimap';

const at = '2026-11-21T14:00:00.000Z';

const notice = (seq: number, level: 'info' | 'warning' | 'critical'): LogRow => {
  const event = { kind: 'notice', seq, at, level, code: 'X', message: '', service: null } as const;
  return { type: 'event', seq, at, event };
};

it('gives each row a tick by its weight', () => {
  const rows = [notice(1, 'info'), notice(2, 'critical'), notice(3, 'warning')];
  expect(minimapTicks(rows).map((tick) => [tick.seq, tick.weight])).toEqual([
    [1, 'quiet'],
    [2, 'bad'],
    [3, 'wait'],
  ]);
});

it('in a long log no problem is lost among its neighbours', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    notice(index + 1, index === 1_234 ? 'critical' : 'info'),
  );
  const ticks = minimapTicks(rows);
  expect(ticks.length).toBeLessThanOrEqual(160);
  expect(ticks.filter((tick) => tick.weight === 'bad').map((tick) => tick.seq)).toEqual([1_235]);
});

it('[BND-4.5] shows a denied command, and no other command of the command broker', () => {
  const command = (seq: number, code: string | null): LogRow => {
    const phase = code === null ? 'started' : 'refused';
    const refusal = code === null ? null : { code, message: 'It was not run.' };
    const of = { number: seq, argv: ['reboot'], rule: null, changes: false, end: null };
    return { type: 'event', seq, at, event: { kind: 'brokered', seq, at, phase, refusal, ...of } };
  };
  const rows = [command(1, null), command(2, 'no_rule'), command(3, 'approval_pending')];
  expect(minimapTicks(rows)).toEqual([{ seq: 2, weight: 'wait', label: 'Command, denied' }]);
});
