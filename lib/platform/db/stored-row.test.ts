import { describe, expect, it } from 'vitest';
import { fromColumns, fromJson } from './raw';

const at = new Date('2026-11-22T01:02:03.456Z');

describe('a row read by raw SQL', () => {
  it('has the names of its fields, and its values as they came', () => {
    expect(fromColumns({ id: 'a', wait_until: at, is_result_late: false, acked_seq: 3 })).toEqual({
      id: 'a',
      waitUntil: at,
      isResultLate: false,
      ackedSeq: 3,
    });
  });

  it('has times where it came as JSON, and leaves what lies inside a column alone', () => {
    const json = {
      paused_at: '2026-11-22T01:02:03.456+00:00',
      ended_at: null,
      posture: { seen_at: '2026-11-22' },
    };
    expect(fromJson(json)).toEqual({
      pausedAt: at,
      endedAt: null,
      posture: { seen_at: '2026-11-22' },
    });
  });
});
