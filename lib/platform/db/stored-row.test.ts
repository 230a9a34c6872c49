import { describe, expect, it } from 'vitest';
import { fromJson } from './raw';

const at = new Date('2026-11-22T01:02:03.456Z');

describe('a row that was read as JSON', () => {
  it('renames columns to fields and parses times, but not inside a JSON column', () => {
    const json = {
      paused_at: '2026-11-22T01:02:03.456+00:00',
      ended_at: null,
      capabilities: { seen_at: '2026-11-22' },
    };
    expect(fromJson(json)).toEqual({
      pausedAt: at,
      endedAt: null,
      capabilities: { seen_at: '2026-11-22' },
    });
  });
});
