import { expect, it } from 'vitest';
import { sessionSentence } from './session-header';

type Facts = Parameters<typeof sessionSentence>[0];

const attempt = (changes: object = {}) =>
  [
    {
      runnerPool: 'eu',
      runner: { id: 'rnr_1', name: 'eu-1' },
      startedAt: null,
      exit: null,
      ...changes,
    },
  ] as unknown as Facts['attempts'];

it.each<[string, Facts, string]>([
  [
    'queued',
    { status: 'queued', statusText: '', waitReason: 'runner', tier: 2, attempts: attempt() },
    'Waiting for a runner: pool eu has none. Connect a runner to it.',
  ],
  [
    'queued, as it is stored',
    {
      status: 'queued',
      statusText: 'Waiting for a runner.',
      waitReason: 'runner',
      tier: 2,
      attempts: attempt(),
    },
    'Waiting for a runner: pool eu has none. Connect a runner to it.',
  ],
  [
    'queued again',
    {
      status: 'queued',
      statusText: 'It was lost.',
      waitReason: 'retry',
      tier: 2,
      attempts: attempt(),
    },
    'It was lost. Waiting for a runner: pool eu has none. Connect a runner to it.',
  ],
  [
    'waiting for a host',
    {
      status: 'waiting',
      statusText: 'Waiting for runner eu-2.',
      waitReason: 'host',
      tier: 2,
      attempts: attempt(),
    },
    'Waiting for runner eu-2.',
  ],
  [
    'claimed',
    { status: 'running', statusText: '', waitReason: null, tier: 2, attempts: attempt() },
    'Runner eu-1 has claimed the session and is starting the process.',
  ],
  [
    'running',
    {
      status: 'running',
      statusText: '',
      waitReason: null,
      tier: 2,
      attempts: attempt({ startedAt: 'now' }),
    },
    'Tier 2 is running on runner eu-1.',
  ],
  [
    'ended without a text of its own',
    {
      status: 'failed',
      statusText: '',
      waitReason: null,
      tier: 1,
      attempts: attempt({ exit: { text: 'It crashed.' } }),
    },
    'It crashed.',
  ],
])('%s', (_what, session, sentence) => {
  expect(sessionSentence(session, [])).toBe(sentence);
});
