import { expect, it } from 'vitest';
import { addChanges, type CheckChanges } from './check-changes';
import { type CheckState, NEVER_CHECKED, nextCheckState, type ResultStatus } from './check-state';

const START = Date.parse('2026-11-26T12:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);

const HTTP = { type: 'http', target: 'http://web.example' };
const HEARTBEAT = { type: 'heartbeat', target: 'backup' };

interface Played {
  spec?: unknown;
  everySeconds?: number;
  failures?: number;
  lastResults?: number;
}

type Check = CheckState & { lastAt: Date | null };

/** Returns what is stored of a check after results, each `seconds: status` since the start. */
function changesAfter(
  results: Results,
  { spec = HTTP, everySeconds = 30, failures = 2, lastResults = 3 }: Played = {},
): string[] {
  const changes: CheckChanges = new Map();
  let check: Check = { ...NEVER_CHECKED, lastAt: null };
  for (const [seconds, status] of results) {
    const state = nextCheckState(check, { status, at: at(seconds) }, { failures, lastResults });
    addChanges(changes, { ...check, id: 'a', spec, everySeconds }, state, at(seconds));
    check = { ...state, lastAt: at(seconds) };
  }
  return (changes.get('a') ?? []).map(
    (one) => `${(one.at.getTime() - START) / 1_000} ${one.status}`,
  );
}

type Results = readonly (readonly [number, ResultStatus])[];
const cases: [string, Results, string[], Played?][] = [
  [
    'the first result',
    [
      [0, 'healthy'],
      [30, 'healthy'],
    ],
    ['0 healthy'],
  ],
  [
    'an outage is as long as its results show, not as it takes to decide',
    [
      [0, 'healthy'],
      [30, 'down'],
      [60, 'down'],
      [90, 'down'],
      [120, 'healthy'],
      [150, 'healthy'],
    ],
    ['0 healthy', '30 down', '120 healthy'],
  ],
  [
    'a single failure of three changes nothing',
    [
      [0, 'healthy'],
      [30, 'down'],
      [60, 'healthy'],
    ],
    ['0 healthy'],
  ],
  [
    'what a check failed with before it recovered belongs to the outage before',
    [
      [0, 'healthy'],
      [30, 'down'],
      [60, 'healthy'],
      [90, 'down'],
      [120, 'down'],
      [150, 'healthy'],
      [180, 'healthy'],
      [210, 'healthy'],
      [240, 'down'],
    ],
    ['0 healthy', '30 down', '150 healthy', '240 down'],
    { failures: 3, lastResults: 6 },
  ],
  [
    'worse and better again',
    [
      [0, 'healthy'],
      [30, 'degraded'],
      [60, 'degraded'],
      [90, 'down'],
      [120, 'down'],
      [150, 'degraded'],
      [180, 'degraded'],
    ],
    ['0 healthy', '30 degraded', '90 down', '150 degraded'],
  ],
  [
    'results that couldn’t be had',
    [
      [0, 'healthy'],
      [30, 'unknown'],
      [60, 'unknown'],
      [90, 'healthy'],
    ],
    ['0 healthy', '30 unknown', '90 healthy'],
  ],
  [
    'time without results, although the state is the same on both sides',
    [
      [0, 'healthy'],
      [600, 'healthy'],
    ],
    ['0 healthy', '60 unknown', '600 healthy'],
  ],
  [
    'two missed results are no gap yet',
    [
      [0, 'healthy'],
      [90, 'healthy'],
    ],
    ['0 healthy'],
  ],
  [
    'a heartbeat has results only now and then',
    [
      [0, 'healthy'],
      [6_000, 'healthy'],
    ],
    ['0 healthy'],
    { spec: HEARTBEAT },
  ],
  [
    'a check that expired, and whose results a runner had kept',
    [
      [0, 'healthy'],
      [600, 'unknown'],
      [30, 'healthy'],
      [60, 'down'],
      [90, 'down'],
    ],
    ['0 healthy', '30 healthy', '60 down'],
    { failures: 1, lastResults: 1 },
  ],
];

it.each(cases)('[INC-1.1] %s', (_name, results, expected, rule) => {
  expect(changesAfter(results, rule)).toEqual(expected);
});
