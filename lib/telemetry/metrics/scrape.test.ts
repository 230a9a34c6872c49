import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readMetrics } from '@/tests/support/metrics/read-metrics';
import { forgetState, readState } from './scrape';
import { type Sample, STATE_GAUGES } from './state-data';

const NOW = new Date('2026-11-26T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const RUNNERS = STATE_GAUGES.findIndex(({ name }) => name === 'tierwatch_runners');

/** What is read where `online` runners are. */
const rows = (online: number): Sample[][] =>
  STATE_GAUGES.map((_gauge, index) =>
    index === RUNNERS ? [{ labels: { state: 'online' }, value: online }] : [],
  );

async function scraped(read: () => Promise<Sample[][]>, at = NOW, timeoutMs = 50) {
  const { samples, types } = readMetrics(await (await readState(timeoutMs, at, read)).metrics());
  return {
    success: samples.get('tierwatch_state_read_success'),
    online: samples.get('tierwatch_runners{state="online"}'),
    families: types.size,
  };
}

beforeEach(forgetState);

describe('[INC-4.2] reading the gauges of rows', () => {
  it('has every gauge', async () => {
    expect(await scraped(async () => rows(2))).toEqual({
      success: 1,
      online: 2,
      families: STATE_GAUGES.length + 1,
    });
  });

  it('reads again only after 5 seconds', async () => {
    const read = vi.fn(async () => rows(read.mock.calls.length));
    expect((await scraped(read)).online).toBe(1);
    expect((await scraped(read, after(4_999))).online).toBe(1);
    expect((await scraped(read, after(5_000))).online).toBe(2);
  });

  it.each([
    ['takes longer than the scrape waits', () => new Promise<Sample[][]>(() => {})],
    ['fails', () => Promise.reject(new Error('away'))],
  ])('has none of them when reading %s', async (_what, read) => {
    expect(await scraped(read)).toEqual({ success: 0, online: undefined, families: 1 });
  });

  it('tries again after a failure', async () => {
    await scraped(() => Promise.reject(new Error('away')));
    expect(await scraped(async () => rows(3), after(1))).toMatchObject({ success: 1, online: 3 });
  });
});
