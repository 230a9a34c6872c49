import { describe, expect, it } from 'vitest';
import { KILLED, parseOptions } from './options.mjs';
import { planFaults, type Target } from './plan';

const plan = (kills: number, seed: number, targets = KILLED as Target[]) =>
  planFaults({ kills, seed, targets });

describe('[FLT-3.1] the plan of a chaos run', () => {
  it('is the same for the same seed, and another one for another seed', () => {
    expect(plan(200, 7)).toEqual(plan(200, 7));
    expect(plan(200, 7)).not.toEqual(plan(200, 8));
  });

  it.each([7, 20, 200])('has %d faults, and each target among them', (kills) => {
    const { faults } = plan(kills, 7);
    expect(faults.map(({ number }) => number)).toEqual(faults.map((_, index) => index + 1));
    expect(faults).toHaveLength(kills);
    expect(new Set(faults.map(({ target }) => target))).toEqual(new Set(KILLED));
  });

  it('kills Redis only from where the queues are on it', () => {
    const { faults, redisFrom } = plan(200, 7);
    const first = faults.find(({ target }) => target === 'redis')?.number ?? 0;
    expect(redisFrom).toBeGreaterThan(1);
    expect(first).toBeGreaterThanOrEqual(redisFrom ?? Number.POSITIVE_INFINITY);
    expect(plan(10, 7, ['runner']).redisFrom).toBeNull();
    expect(plan(3, 7, ['redis'])).toMatchObject({ redisFrom: 1, faults: { length: 3 } });
  });

  it('leaves between 0.2 s and 5 s between faults, and lets some come during a recovery', () => {
    const { faults } = plan(200, 7);
    expect(Math.min(...faults.map(({ delayMs }) => delayMs))).toBeGreaterThanOrEqual(200);
    expect(Math.max(...faults.map(({ delayMs }) => delayMs))).toBeLessThanOrEqual(5_000);
    expect(new Set(faults.map(({ waitsForRecovery }) => waitsForRecovery)).size).toBe(2);
  });
});

describe('[FLT-3.1] the options of npm run chaos', () => {
  it('are 200 kills by seed 7 of every part unless others are given', () => {
    const usual = { kills: 200, seed: 7, minutes: 90, projects: 6, targets: KILLED };
    expect(parseOptions([])).toEqual(usual);
    expect(
      parseOptions(['--kills', '20', '--seed', '3', '--minutes=5', '--only', 'runner,freeze']),
    ).toEqual({ ...usual, kills: 20, seed: 3, minutes: 5, targets: ['runner', 'freeze'] });
  });

  it.each([
    [['--kills', '0'], '--kills must be a whole number of at least 1, not “0”.'],
    [['--seed', 'seven'], '--seed must be a whole number of at least 0, not “seven”.'],
    [['--only', 'runner,mail'], '--only doesn’t know “mail”. Choose from web, worker, runner'],
    [['--killls', '3'], 'Usage: npm run chaos'],
  ])('%j is refused', (args, message) => expect(() => parseOptions(args)).toThrow(message));
});
