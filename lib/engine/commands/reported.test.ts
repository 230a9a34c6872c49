import { describe, expect, it } from 'vitest';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { reportedCommands } from './reported';

const START = '2026-11-26T03:00:00.000Z';
const LATER = '2026-11-26T03:00:04.000Z';

const started: BrokeredEvent = {
  kind: 'brokered',
  phase: 'started',
  number: 1,
  argv: ['docker', 'restart', 'web'],
  rule: 'Bash(docker restart {service})',
  refusal: null,
  changes: true,
  end: null,
};

function ended(end: Partial<NonNullable<BrokeredEvent['end']>> = {}): BrokeredEvent {
  const none = { exitCode: 0, signal: null, error: null, durationMs: 4_000 };
  return { ...started, phase: 'ended', end: { ...none, output: 'web', outputBytes: 3, ...end } };
}

const refused: BrokeredEvent = {
  ...started,
  phase: 'refused',
  changes: false,
  refusal: { code: 'cooldown', message: 'web was restarted twice.' },
};

const numbered = (...events: BrokeredEvent[]) =>
  events.map((event, at) => ({ seq: 7 + at, at: at === 0 ? START : LATER, event }));

describe('what events say about a command', () => {
  it.each([
    ['a start', [started], { state: 'started', endedAt: null, exitCode: null }],
    ['exit 0', [started, ended()], { state: 'succeeded', exitCode: 0, endedAt: LATER }],
    ['exit 1', [started, ended({ exitCode: 1 })], { state: 'failed', exitCode: 1 }],
    [
      'a signal',
      [started, ended({ exitCode: null, signal: 'SIGKILL' })],
      { state: 'failed', exitCode: null, signal: 'SIGKILL' },
    ],
    [
      'a program that could not be started',
      [started, ended({ exitCode: null, error: 'ENOENT' })],
      { state: 'not_started', error: 'ENOENT' },
    ],
    [
      'a refusal',
      [refused],
      { state: 'refused', refusalCode: 'cooldown', refusalMessage: 'web was restarted twice.' },
    ],
    [
      'a refusal of what was about to start',
      [started, refused],
      { state: 'refused', mayChange: true },
    ],
    ['a start after its end', [started, ended(), started], { state: 'succeeded', endedAt: LATER }],
    [
      'one that was left running',
      [started, { ...started, phase: 'left_running' as const }],
      { state: 'left_running', endedAt: null, exitCode: null },
    ],
    ['an end without its start', [ended()], { state: 'succeeded', endedAt: START }],
  ])('[BND-2.4] %s', (_what, events, expected) => {
    const [command, ...others] = reportedCommands(numbered(...events));
    expect(others).toEqual([]);
    expect(command).toMatchObject({
      ...expected,
      number: 1,
      attemptSeq: 7,
      requestedAt: START,
      argv: ['docker', 'restart', 'web'],
    });
  });

  it('is cut where it is longer than a row', () => {
    const argv = ['docker', 'x'.repeat(15_990), 'y'.repeat(100), 'z'];
    const [command] = reportedCommands(numbered({ ...started, argv }));
    expect(command?.argv.slice(2)).toEqual(['yy…', '…']);
  });

  it('[BND-4.5] events are grouped by the number of their command, and other events are ignored', () => {
    const other = { ...started, number: 2, argv: ['uptime'], changes: false };
    const text = { kind: 'text' as const, messageId: null, text: '', parentToolUseId: null };
    const events = [
      { seq: 1, at: START, event: text },
      ...numbered(started, other, ended(), {
        ...other,
        phase: 'refused',
        refusal: refused.refusal,
      }),
    ];
    const states = reportedCommands(events).map(({ number, state }) => [number, state]);
    expect(states).toEqual([
      [1, 'succeeded'],
      [2, 'refused'],
    ]);
  });
});
