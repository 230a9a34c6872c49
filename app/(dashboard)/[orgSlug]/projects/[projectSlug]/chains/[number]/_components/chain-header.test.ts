import { expect, it } from 'vitest';
import { chainSentence, reportedSummary } from './chain-header';

const running = { status: 'running', outcome: null, statusText: 'Tier 2 is running.' } as const;

it('a chain whose next session waits says what for', () => {
  const sessions: Parameters<typeof chainSentence>[0]['sessions'] = [
    { status: 'escalated', statusText: 'web is down.', waitReason: null, tier: 1 },
    { status: 'queued', statusText: '', waitReason: 'runner', tier: 2 },
  ];
  expect(chainSentence({ ...running, sessions }, 'eu', [])).toBe(
    'Waiting for a runner: pool eu has none. Connect a runner to it.',
  );
  const plain = sessions.with(1, {
    status: 'queued',
    statusText: 'Waiting for a runner.',
    waitReason: 'runner',
    tier: 2,
  });
  expect(chainSentence({ ...running, sessions: plain }, 'eu', [])).toContain('pool eu has none');
  const held = sessions.with(1, {
    status: 'waiting',
    statusText: 'Waiting for eu-2.',
    waitReason: 'host',
    tier: 2,
  });
  expect(chainSentence({ ...running, sessions: held }, 'eu', [])).toBe('Waiting for eu-2.');
});

it('otherwise its own words count', () => {
  const sessions = [{ status: 'running', statusText: '', waitReason: null, tier: 2 }];
  expect(chainSentence({ ...running, sessions }, 'eu', [])).toBe('Tier 2 is running.');
});

it('an identical report is not repeated', () => {
  const chain = { statusText: 'No runner.', highestTier: 1 };
  expect(reportedSummary({ ...chain, summary: 'No runner.' })).toBeNull();
  expect(reportedSummary({ ...chain, summary: '' })).toBeNull();
  expect(reportedSummary({ ...chain, summary: 'web is down.' })).toEqual({
    tier: 1,
    text: 'web is down.',
  });
});
