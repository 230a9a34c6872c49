import { describe, expect, it } from 'vitest';
import { passedByOwnAction, type SeenPair } from './passed';

const now = new Date('2026-11-21T12:00:00Z');
const rules = [{ action: 'restart' as const, limit: 2, windowSeconds: 3_600 }];
const services = ['web', 'db'];

function restart(sessionId: string, minutesAgo: number, service = 'web'): SeenPair {
  const at = new Date(now.getTime() - minutesAgo * 60_000);
  return { service, action: 'restart', at, sessionId, evidence: `${sessionId}-${minutesAgo}` };
}

describe('passedByOwnAction', () => {
  it.each([
    ['at the limit', [restart('own', 2), restart('own', 1)], null],
    ['one above it', [restart('own', 3), restart('own', 2), restart('own', 1)], 'web'],
    [
      'above it together with others',
      [restart('other', 30), restart('other', 20), restart('own', 1)],
      'web',
    ],
    [
      'above it by others alone',
      [restart('other', 30), restart('other', 20), restart('other', 10)],
      null,
    ],
    [
      'others above it, own on another service',
      [restart('other', 30), restart('other', 20), restart('other', 10), restart('own', 1, 'db')],
      null,
    ],
    [
      'others above it, own of another action',
      [
        restart('other', 30),
        restart('other', 20),
        restart('other', 10),
        { ...restart('own', 1), action: 'redeploy' as const },
      ],
      null,
    ],
    [
      'with one out of the window',
      [restart('own', 90), restart('own', 2), restart('own', 1)],
      null,
    ],
  ])('%s', (_name, actions, service) => {
    expect(passedByOwnAction('own', rules, actions, services, now)?.service ?? null).toBe(service);
  });
});
