import { expect, it } from 'vitest';
import { incidentSentence } from './view';

const OPEN = {
  state: 'open',
  source: 'check',
  summary: 'web is down. It began at 03:02 UTC.',
  needsHumanSince: null,
  acknowledgedBy: null,
  silencedBy: null,
  chains: [],
  services: [],
  alerts: null,
} as const;
const chain = { id: 'chn_1', number: 5, highestTier: 1 };

it.each<[Partial<Parameters<typeof incidentSentence>[0]>, string]>([
  [{}, 'web is down. It began at 03:02 UTC.'],
  [
    { chains: [{ ...chain, outcome: null }] },
    'web is down. It began at 03:02 UTC. Chain #5 is looking at it.',
  ],
  [
    { chains: [{ ...chain, outcome: 'failed' }], needsHumanSince: '2026-11-26T03:10:00Z' },
    'web is down. It began at 03:02 UTC. It needs a human.',
  ],
  [
    { state: 'acknowledged', acknowledgedBy: 'Ana', needsHumanSince: '2026-11-26T03:10:00Z' },
    'web is down. It began at 03:02 UTC. Ana is working on it.',
  ],
  [
    { state: 'verifying' },
    'All of its services are healthy. It is resolved once they have stayed so for the whole verification.',
  ],
  [
    { state: 'verifying', alerts: { title: 'Slow', services: [], sources: [], isFiring: false } },
    'Its alerts have ended. It is resolved once nothing has been reported for the whole verification.',
  ],
  [
    { silencedBy: 'Ana', needsHumanSince: '2026-11-26T03:10:00Z' },
    'web is down. It began at 03:02 UTC. It needs a human. Nobody is notified: it is silenced.',
  ],
  [
    { state: 'verifying', source: 'finding' },
    'The last chain found all of its services healthy. It is resolved unless one finds otherwise during the verification.',
  ],
  [{ state: 'resolved', summary: 'web has been healthy.' }, 'web has been healthy.'],
])('[INC-2.3] says who has to act: %#', (changes, sentence) => {
  expect(incidentSentence({ ...OPEN, chains: [], services: [], ...changes })).toBe(sentence);
});
