import { expect, it } from 'vitest';
import type { ResultStatus } from './check-state';
import { type CheckPast, serviceSpans } from './service-spans';

const START = Date.parse('2026-11-26T12:00:00.000Z');
const at = (minutes: number) => new Date(START + minutes * 60_000);
const TO = 60;

interface Given {
  /** When the last result was had, in minutes. */
  lastAt?: number;
  isRemoved?: boolean;
  type?: string;
}

function check(
  changes: readonly [number, ResultStatus | null][],
  { lastAt = TO, isRemoved = false, type = 'http' }: Given = {},
): CheckPast {
  const current = { spec: { type }, everySeconds: 60, lastAt: at(lastAt) };
  return {
    changes: changes.map(([minutes, status]) => ({ at: at(minutes), status })),
    current: isRemoved ? null : current,
  };
}

const cases: [string, readonly CheckPast[], string[]][] = [
  ['no check', [], ['0-60 unknown']],
  [
    'before the first result nothing is known',
    [check([[20, 'healthy']])],
    ['0-20 unknown', '20-60 healthy'],
  ],
  [
    'what it was before the span counts',
    [
      check([
        [-500, 'down'],
        [10, 'healthy'],
      ]),
    ],
    ['0-10 down', '10-60 healthy'],
  ],
  [
    'an outage of 4 minutes',
    [
      check([
        [-9, 'healthy'],
        [31, 'down'],
        [35, 'healthy'],
      ]),
    ],
    ['0-31 healthy', '31-35 down', '35-60 healthy'],
  ],
  [
    'a service is what its worst check is',
    [
      check([
        [-9, 'healthy'],
        [10, 'degraded'],
        [30, 'healthy'],
      ]),
      check([
        [-9, 'healthy'],
        [20, 'down'],
        [40, 'healthy'],
      ]),
    ],
    ['0-10 healthy', '10-20 degraded', '20-40 down', '40-60 healthy'],
  ],
  [
    'one check of two isn’t known',
    [
      check([[-9, 'healthy']]),
      check([
        [-9, 'healthy'],
        [10, 'unknown'],
        [20, 'healthy'],
      ]),
    ],
    ['0-10 healthy', '10-20 unknown', '20-60 healthy'],
  ],
  [
    'a check counts from its addition until its removal',
    [
      check([[-9, 'healthy']]),
      check(
        [
          [10, 'down'],
          [20, null],
        ],
        { isRemoved: true },
      ),
    ],
    ['0-10 healthy', '10-20 down', '20-60 healthy'],
  ],
  [
    'since results are missing nothing is known, although no sweep has noticed',
    [check([[-9, 'healthy']], { lastAt: 30 })],
    ['0-32 healthy', '32-60 unknown'],
  ],
  [
    'a heartbeat says nothing between its pings',
    [check([[-9, 'healthy']], { lastAt: -9, type: 'heartbeat' })],
    ['0-60 healthy'],
  ],
];

it.each(cases)('[INC-1.1] %s', (_name, checks, expected) => {
  const spans = serviceSpans(checks, { from: at(0), to: at(TO) });
  const minutes = (time: Date) => (time.getTime() - START) / 60_000;
  expect(spans.map(({ from, to, status }) => `${minutes(from)}-${minutes(to)} ${status}`)).toEqual(
    expected,
  );
});
