import { expect, it } from 'vitest';
import type { ChainOutcome } from '@/lib/engine/statuses';
import { findingsOf, type Observation } from './findings';

const since = new Date('2026-11-26T03:00:00Z');
const found = (status: 'healthy' | 'degraded' | 'down' | 'unknown', error = '') => ({
  ...{ status, since, error },
});
const web: Observation = {
  ...{ serviceId: 'web', name: 'web', isWatched: false, measured: null, reported: null },
};

/** What follows, in short: `down`, `down (human)`, `healthy (reported)`. */
const shortOf = (outcome: ChainOutcome | null, changes: Partial<Observation>) =>
  findingsOf({ chainId: 'chain', outcome }, [{ ...web, ...changes }]).map((event) => {
    const reported = event.isReported ? ' (reported)' : '';
    if (event.kind === 'service_recovered') return `healthy${reported}`;
    return `${event.status}${event.needsHuman ? ' (human)' : ''}${reported}`;
  });

const DOWN = { measured: found('down') };
const HEALTHY = { measured: found('healthy') };
const SAID_DOWN = { reported: found('down') };
const SAID_HEALTHY = { reported: found('healthy') };

it.each<[string, ChainOutcome | null, Partial<Observation>, string[]]>([
  ['nothing was found out', 'needs_human', {}, []],
  ['its check fails at the end', 'findings', DOWN, ['down']],
  ['its check is degraded', 'suppressed', { measured: found('degraded') }, ['degraded']],
  ['and people have to continue', 'needs_human', DOWN, ['down (human)']],
  ['and the agent failed', 'failed', DOWN, ['down (human)']],
  ['and its runner was lost', 'lost', DOWN, ['down (human)']],
  ['its check passes at the end', 'fixed', HEALTHY, ['healthy']],
  [
    'its check passes, whatever the agent says',
    'findings',
    { ...HEALTHY, ...SAID_DOWN },
    ['healthy'],
  ],
  ['its check fails, whatever the agent says', 'fixed', { ...DOWN, ...SAID_HEALTHY }, ['down']],
  ['only the agent says that it fails', 'needs_human', SAID_DOWN, ['down (human) (reported)']],
  ['only the agent says that it is well', 'healthy', SAID_HEALTHY, ['healthy (reported)']],
  ['the agent saw a failure, and reported a fix', 'fixed', SAID_DOWN, []],
  ['nobody could check it', 'findings', { reported: found('unknown') }, []],
  ['a check watches it without an agent', 'needs_human', { ...DOWN, isWatched: true }, []],
  ['a person stopped the chain', 'stopped', DOWN, []],
  ['the chain hasn’t ended', null, DOWN, []],
])('[INC-2.1] what a chain means to a service where %s', (_what, outcome, changes, events) => {
  expect(shortOf(outcome, changes)).toEqual(events);
});

it('[INC-2.1] failures come before recoveries, with their beginning and what is wrong', () => {
  const db = { ...web, serviceId: 'db', name: 'db', measured: found('down', 'x'.repeat(900)) };
  const events = findingsOf({ chainId: 'chain', outcome: 'findings' }, [
    { ...web, ...HEALTHY },
    db,
  ]);
  expect(events).toEqual([
    {
      ...{ kind: 'service_failing', serviceId: 'db', name: 'db', status: 'down' },
      ...{ chainId: 'chain', isReported: false, needsHuman: false },
      failingSince: since.toISOString(),
      error: expect.stringMatching(/^x{400,499}…$/),
    },
    { kind: 'service_recovered', serviceId: 'web', chainId: 'chain', isReported: false },
  ]);
});
