import { expect, it } from 'vitest';
import { cooldownLines } from './cooldown-lines';

const rule = (used: number, nextAllowedAt: string | null = null) => {
  return { used, limit: 2, window_seconds: 14_400, next_allowed_at: nextAllowedAt };
};

it('says for each service how much of each rule is used', () => {
  const at = '2026-11-21T16:40:00.000Z';
  expect(cooldownLines({ web: { restart: rule(2, at) }, api: { restart: rule(0) } })).toEqual([
    { service: 'web', text: 'restart: 2 of 2 in 4h', nextAllowedAt: at },
    { service: 'api', text: 'restart: 0 of 2 in 4h', nextAllowedAt: null },
  ]);
});

it.each([[{ note: 'from the file' }], [{ web: { restart: rule(1) }, note: 'mixed' }]])(
  'leaves a shape of the agent’s own alone: %j',
  (state) => {
    expect(cooldownLines(state)).toBeNull();
  },
);
