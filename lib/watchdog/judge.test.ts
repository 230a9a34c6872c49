import { describe, expect, it } from 'vitest';
import { judge, reasonsAgainstPing, type WatchFacts } from './judge';
import { keyOf, type Verdict } from './problems';

const now = new Date('2026-11-26T03:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const DAY = 86_400;
const beat = (lastSeconds: number, sinceSeconds = DAY) => ({
  lastAt: ago(lastSeconds),
  continuousSince: ago(sinceSeconds),
});
const job = (endedSeconds: number | null, changes: Partial<WatchFacts['jobs'][number]> = {}) => ({
  name: 'chains.start_due',
  everyMs: 1_000,
  registeredAt: ago(DAY),
  lastEndedAt: endedSeconds === null ? null : ago(endedSeconds),
  failures: 0,
  ...changes,
});
const GB = 1_000_000_000;

const WELL: WatchFacts = {
  now,
  watcher: 'worker',
  watchingSince: ago(DAY),
  web: beat(3),
  worker: beat(3),
  jobs: [job(2)],
  queues: [{ name: 'deliveries', waiting: 0, oldestDueAt: null, samples: [] }],
  lostSchedules: 0,
  runners: { expected: 3, offline: 0, clockOff: 0 },
  checks: { expected: 40, overdue: 0 },
  connections: { used: 20, max: 97 },
  disk: { freeBytes: 50 * GB, totalBytes: 100 * GB },
};

/** `job/missed_slot/chains.start_due`, of those in this state. */
function inState(state: Verdict['state'], changes: Partial<WatchFacts>): string[] {
  return judge({ ...WELL, ...changes })
    .filter((verdict) => verdict.state === state)
    .map(({ component, kind, subject }) => [component, kind, subject].filter(Boolean).join('/'));
}

describe('[INC-4.1] what is wrong with an installation', () => {
  it('is nothing while everything reports', () => {
    expect(inState('present', {})).toEqual([]);
    expect(inState('unknown', {})).toEqual(['disk/nearly_full/web']);
  });

  it.each<[string, Partial<WatchFacts>, string[]]>([
    ['a worker that was killed', { worker: beat(61) }, ['worker/not_reporting']],
    ['a worker that has just missed a report', { worker: beat(59) }, []],
    ['a worker that was never started', { worker: null }, ['worker/not_reporting']],
    ['web processes that were killed', { web: beat(61) }, ['web/not_reporting']],
    ['a night in which nothing ran', { worker: beat(30_000), watchingSince: ago(50) }, []],
    [
      'a worker that stays away after that night',
      { worker: beat(30_000), watchingSince: ago(70) },
      ['worker/not_reporting'],
    ],
    ['a job that missed its slots', { jobs: [job(62)] }, ['job/missed_slot/chains.start_due']],
    ['a job that is a little late', { jobs: [job(60)] }, []],
    [
      'a job that has never ended',
      { jobs: [job(null, { failures: 7 })] },
      ['job/missed_slot/chains.start_due'],
    ],
    ['a job that was added just now', { jobs: [job(null, { registeredAt: ago(20) })] }, []],
    ['a job of an hour, 80 minutes ago', { jobs: [job(4_800, { everyMs: 3_600_000 })] }, []],
    [
      'a job of an hour, 95 minutes ago',
      { jobs: [job(5_700, { everyMs: 3_600_000 })] },
      ['job/missed_slot/chains.start_due'],
    ],
    ['jobs that wait for a worker just started', { worker: beat(1, 30), jobs: [job(9_000)] }, []],
    [
      'jobs of a worker that is gone: the worker alone',
      { worker: beat(90), jobs: [job(90)] },
      ['worker/not_reporting'],
    ],
    ['[SIG-3.1] a schedule without a next run', { lostSchedules: 1 }, ['schedule/no_next_run']],
    [
      'a runner that is offline',
      { runners: { expected: 3, offline: 1, clockOff: 0 } },
      ['runner/offline'],
    ],
    [
      'a runner whose clock is off',
      { runners: { expected: 3, offline: 0, clockOff: 1 } },
      ['runner/clock_off'],
    ],
    [
      'runners that can’t report, since web was away',
      { web: beat(1, 59), runners: { expected: 3, offline: 3, clockOff: 0 } },
      [],
    ],
    ['checks without results', { checks: { expected: 40, overdue: 2 } }, ['check/overdue']],
    ['connections', { connections: { used: 88, max: 97 } }, ['database/nearly_full']],
    [
      'a small share of the disk',
      { disk: { freeBytes: 4 * GB, totalBytes: 100 * GB } },
      ['disk/nearly_full/worker'],
    ],
    [
      'few bytes of a small disk',
      { disk: { freeBytes: GB / 4, totalBytes: 2 * GB } },
      ['disk/nearly_full/worker'],
    ],
  ])('%s', (_what, changes, present) => {
    expect(inState('present', changes)).toEqual(present);
  });

  it.each<[string, Partial<WatchFacts>, string]>([
    [
      'a worker that may be starting',
      { worker: null, watchingSince: ago(5) },
      'worker/not_reporting',
    ],
    [
      'jobs without a worker',
      { worker: beat(90), jobs: [job(90)] },
      'job/missed_slot/chains.start_due',
    ],
    ['runners without web', { web: beat(90) }, 'runner/offline'],
    ['connections that can’t be counted', { connections: null }, 'database/nearly_full'],
    [
      'connections between both limits',
      { connections: { used: 83, max: 97 } },
      'database/nearly_full',
    ],
    ['a disk that can’t be read', { disk: null }, 'disk/nearly_full/worker'],
    [
      'a disk between both limits',
      { disk: { freeBytes: 6 * GB, totalBytes: 100 * GB } },
      'disk/nearly_full/worker',
    ],
  ])('is unknown for %s', (_what, changes, unknown) => {
    expect(inState('unknown', changes)).toContain(unknown);
  });

  it('begins with what was last known', () => {
    const facts = { ...WELL, worker: beat(300), jobs: [] };
    const found = judge(facts).find(({ state }) => state === 'present');
    expect(found?.since).toEqual(ago(300));
  });

  it('is judged once for each thing', () => {
    const keys = judge({ ...WELL, jobs: [job(1), job(1, { name: 'rows.prune' })] }).map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('[INC-4.1] an outside monitor learns that all is well', () => {
  it.each<[string[], string, Partial<WatchFacts>]>([
    [[], 'while everything reports', {}],
    [['worker not_reporting'], 'not without a worker', { worker: beat(61) }],
    [['web not_reporting'], 'not without web', { web: beat(61) }],
    [['web not_reporting'], 'not before web has reported', { web: null, watchingSince: now }],
    [
      ['web not_reporting'],
      'not while web may be starting',
      { web: beat(900), watchingSince: now },
    ],
    [
      ['job missed_slot x'],
      'not while a job misses its slots',
      { jobs: [job(2), job(900, { name: 'x' })] },
    ],
    [['job not_scheduled'], 'not without any job', { jobs: [] }],
    [[], 'while a host is offline', { runners: { expected: 2, offline: 1, clockOff: 1 } }],
    [[], 'while checks lack results', { checks: { expected: 2, overdue: 1 } }],
    [[], 'while a disk is nearly full', { disk: { freeBytes: 1, totalBytes: GB } }],
  ])('%j: %s', (reasons, _when, changes) => {
    expect(reasonsAgainstPing({ ...WELL, ...changes })).toEqual(reasons);
  });

  it('not while a queue only grows', () => {
    const samples = Array.from({ length: 15 }, (_, minute) => ({
      at: ago((15 - minute) * 60),
      waiting: 20 + minute,
    }));
    const queues = [{ name: 'alerts', waiting: 60, oldestDueAt: ago(900), samples }];
    expect(reasonsAgainstPing({ ...WELL, queues })).toEqual(['queue growing alerts']);
  });
});
