import { describe, expect, it } from 'vitest';
import { previewSchedule } from './preview';

const now = new Date('2026-10-24T20:55:00Z');

describe('the preview of a schedule', () => {
  it('[SAS-2.1] lists the next five chains', () => {
    const preview = previewSchedule({ kind: 'interval', everySeconds: 600, timeZone: 'UTC' }, now);
    expect(preview).toEqual({
      ok: true,
      words: 'every 10m',
      runs: [21, 21, 21, 21, 21].map(
        (hour, index) => `2026-10-24T${hour}:${String(index * 10).padStart(2, '0')}:00.000Z`,
      ),
      clockChange: null,
    });
  });

  it('says that the clocks change between two of them', () => {
    const daily = { kind: 'cron', expression: '0 9 * * *', timeZone: 'Europe/Berlin' } as const;
    const summer = new Date('2026-10-23T12:00:00Z');
    expect(previewSchedule(daily, summer)).toMatchObject({
      clockChange:
        'The UTC offset of Europe/Berlin changes between these times, from GMT+02:00 to GMT+01:00.',
    });
  });

  it('says what is wrong with a cron line, at its field', () => {
    const wrong = { kind: 'cron', expression: '*/7 25 * * *', timeZone: 'UTC' } as const;
    expect(previewSchedule(wrong, now)).toMatchObject({ ok: false, field: 'expression' });
  });

  it('has no runs where chains start only manually', () => {
    expect(previewSchedule({ kind: 'manual', timeZone: 'UTC' }, now)).toMatchObject({
      runs: [],
    });
  });
});
