import { expect, it } from 'vitest';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import { emptyCheckpoints } from './empty-checkpoints';

const now = new Date('2026-11-22T12:00:00Z');
const startedAt = '2026-11-10T11:00:00Z';

it.each([
  ['2026-11-15T12:00:00Z', startedAt, true, 'No checkpoints left.'],
  ['2026-11-15T12:00:00Z', startedAt, false, 'No checkpoints left.'],
  ['2026-11-15T12:00:01Z', startedAt, true, 'No checkpoints.'],
  ['2026-11-22T11:00:00Z', null, true, 'No checkpoints.'],
  ['2026-11-22T11:00:00Z', startedAt, false, 'Checkpoints are off.'],
  [null, startedAt, false, 'Checkpoints are off.'],
  [null, startedAt, true, 'No checkpoints yet.'],
])('ended %s, started %s, on %s: %s', (endedAt, started, enabled, title) => {
  const session = { startedAt: started, endedAt };
  const settings = { ...DEFAULT_CHECKPOINTS, enabled };
  expect(emptyCheckpoints(session, settings, now).title).toBe(title);
});
