import { expect, it } from 'vitest';
import { MAX_CHECK_RESULTS, MAX_RESULT_AGE_MS } from '@/lib/protocol/monitoring';
import { ControlPlaneError } from '../control-plane/failure';
import { type UnsentResult, UnsentResults } from './unsent-results';

const result = (projectId: string, number: number, hadAt = 0): UnsentResult => ({
  ...{ projectId, epoch: 1, checkId: `${projectId}-${number}`, status: 'down', error: '' },
  ...{ responseTimeMs: null, ranAt: '2026-11-27T00:00:00.000Z', hadAt },
});

function withResults(counts: Record<string, number>): UnsentResults {
  const unsent = new UnsentResults();
  for (const [project, count] of Object.entries(counts)) {
    for (let number = 0; number < count; number += 1) unsent.add(result(project, number));
  }
  return unsent;
}

const ids = (results: readonly UnsentResult[]) => results.map(({ checkId }) => checkId);
const timeout = new ControlPlaneError('timed out', null);
const STORED = { notStored: [] };

it('[OUT-2.2] sends results of each project in turn, each project’s in their order', () => {
  const unsent = withResults({ a: 1_000, b: 2, c: 1 });
  const sent = unsent.next(1);
  expect(ids(sent).slice(0, 6)).toEqual(['a-0', 'b-0', 'c-0', 'a-1', 'b-1', 'a-2']);
  expect(sent).toHaveLength(MAX_CHECK_RESULTS);
  unsent.answered(sent, STORED, 2);
  expect(ids(unsent.next(2)).slice(0, 2)).toEqual(['a-497', 'a-498']);
});

it('[OUT-2.2] another project comes first the next time', () => {
  const unsent = withResults({ a: 5, b: 5 });
  const sent = unsent.next(1);
  unsent.failed(sent, timeout, 1, 2);
  expect(ids(unsent.next(10_000)).slice(0, 2)).toEqual(['b-0', 'a-0']);
});

it('[OUT-2.2] after timeouts sends half as many, after a pause as long as the request took', () => {
  const unsent = withResults({ a: 1_000 });
  const sizes: number[] = [];
  let now = 0;
  for (let time = 0; time < 8; time += 1) {
    const sent = unsent.next(now);
    sizes.push(sent.length);
    unsent.failed(sent, timeout, now, now + 15_000);
    expect(unsent.next(now + 29_999)).toEqual([]);
    now += 30_000;
  }
  expect(sizes).toEqual([500, 250, 125, 63, 32, 20, 20, 20]);
  expect(unsent.count).toBe(1_000);
  unsent.answered(unsent.next(now), STORED, now);
  expect(unsent.next(now)).toHaveLength(40);
});

it('[OUT-2.2] tries a control plane that refuses connections again at most 5 s later', () => {
  const unsent = withResults({ a: 10 });
  const pauses: number[] = [];
  let now = 0;
  for (let time = 0; time < 6; time += 1) {
    const sent = unsent.next(now);
    unsent.failed(sent, timeout, now, now);
    const from = now;
    while (unsent.next(now).length === 0) now += 100;
    pauses.push(now - from);
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
});

it('[OUT-2.2] holds back a project that couldn’t be stored, and no other', () => {
  const unsent = withResults({ a: 3, b: 3 });
  unsent.answered(unsent.next(1), { notStored: ['a'] }, 1);
  expect(unsent.count).toBe(3);
  unsent.add(result('a', 3));
  unsent.add(result('b', 3));
  expect(ids(unsent.next(2))).toEqual(['b-3']);
  expect(ids(unsent.next(5_001))).toContain('a-0');
});

it('[OUT-2.2] a result that is never accepted is dropped, whichever project it is of', () => {
  const unsent = withResults({ a: 20, b: 20, c: 20 });
  const stored: string[] = [];
  let now = 0;
  for (let requests = 0; requests < 100 && unsent.count > 0; requests += 1) {
    now += 1_000;
    const sent = unsent.next(now);
    if (ids(sent).includes('b-7')) {
      unsent.failed(sent, new ControlPlaneError('refused', 422), now, now);
    } else {
      stored.push(...ids(sent));
      unsent.answered(sent, STORED, now);
    }
  }
  expect(unsent.count).toBe(0);
  expect(stored).toHaveLength(59);
});

it('[INC-1.1] drops what is too old for the control plane', () => {
  const unsent = new UnsentResults();
  unsent.add(result('a', 0, 0));
  unsent.add(result('a', 1, 10));
  expect(ids(unsent.next(MAX_RESULT_AGE_MS + 5))).toEqual(['a-1']);
  expect(unsent.count).toBe(1);
});

it('[OUT-2.2] if too many are unsent, drops the oldest of the project that has most', () => {
  const unsent = withResults({ a: 50_000, b: 3 });
  expect(unsent.count).toBe(50_000);
  const sent = ids(unsent.next(1));
  expect(sent.slice(0, 2)).toEqual(['a-3', 'b-0']);
});
