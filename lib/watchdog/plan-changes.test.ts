import { describe, expect, it } from 'vitest';
import { type Changes, CLEAR_MS, planChanges } from './plan-changes';
import type { OpenProblem, Verdict } from './problems';

const now = new Date('2026-11-26T03:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const KEY = { component: 'job', kind: 'missed_slot', subject: 'rows.prune' } as const;
const OTHER = { ...KEY, subject: 'leases.expire' };
const open = (clearSince: Date | null = null): OpenProblem => ({ ...KEY, id: 'p', clearSince });
const verdict = (state: Verdict['state'], key: typeof KEY | typeof OTHER = KEY): Verdict => ({
  ...key,
  state,
  since: ago(1),
  figures: { failures: 1 },
});
const NONE: Changes = { opened: [], seen: [], clearing: [], ended: [] };
const SEEN = { ...NONE, seen: [{ id: 'p', figures: { failures: 1 } }] };

describe('[INC-4.1] a problem of the installation', () => {
  it.each<[string, OpenProblem[], Verdict[], Changes]>([
    ['opens when it is there', [], [verdict('present')], { ...NONE, opened: [verdict('present')] }],
    ['opens once', [open()], [verdict('present')], SEEN],
    ['doesn’t open while it can’t be judged', [], [verdict('unknown')], NONE],
    ['doesn’t open for what is well', [], [verdict('absent')], NONE],
    ['stays open while it can’t be judged', [open(ago(CLEAR_MS))], [verdict('unknown')], NONE],
    ['doesn’t end at once', [open()], [verdict('absent')], { ...NONE, clearing: ['p'] }],
    ['waits until it stays away', [open(ago(CLEAR_MS - 1))], [verdict('absent')], NONE],
    ['that comes back has never been over', [open(ago(CLEAR_MS))], [verdict('present')], SEEN],
    [
      'ends when it went away',
      [open(ago(CLEAR_MS))],
      [verdict('absent')],
      { ...NONE, ended: [{ id: 'p', until: ago(CLEAR_MS) }] },
    ],
    ['of a job that no longer exists ends', [open()], [], { ...NONE, clearing: ['p'] }],
    [
      'is one for each subject',
      [open()],
      [verdict('present'), verdict('present', OTHER)],
      { ...SEEN, opened: [verdict('present', OTHER)] },
    ],
    [
      'opens once where two verdicts name it',
      [],
      [verdict('present'), verdict('present')],
      { ...NONE, opened: [verdict('present')] },
    ],
  ])('%s', (_what, problems, verdicts, expected) => {
    expect(planChanges(problems, verdicts, now)).toEqual(expected);
  });
});
