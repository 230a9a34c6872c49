import { beforeEach, describe, expect, it } from 'vitest';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import { createCommandJournal, type JournalOptions } from './command-journal';
import type { CommandEnd } from './command-run';

const RESTART = {
  number: 1,
  argv: ['systemctl', 'restart', 'web'],
  rule: 'Bash(x)',
  changes: true,
};
const REFUSAL = { code: 'no_rule', message: 'No rule allows it.' };
const END: CommandEnd = {
  exitCode: 0,
  signal: null,
  startError: null,
  isLeftRunning: false,
  durationMs: 5,
  output: 'done',
  outputBytes: 4,
};

let events: BrokeredEvent[];
let synced: number;
let manyRefused: number;
beforeEach(() => {
  events = [];
  synced = 0;
  manyRefused = 0;
});

function journal(changes: Partial<JournalOptions> = {}) {
  return createCommandJournal({
    add: (event) => events.push(event),
    async sync() {
      synced += 1;
    },
    onManyRefused() {
      manyRefused += 1;
    },
    ...changes,
  });
}

describe('[BND-2.4] the journal', () => {
  it.each([
    ['waits for the disk where the command may change something', true, 1],
    ['doesn’t where it only reads', false, 0],
  ])('%s', async (_what, changes, syncs) => {
    await journal().started({ ...RESTART, changes });
    expect(synced).toBe(syncs);
    expect(events).toMatchObject([{ phase: 'started', changes }]);
  });

  it.each<[string, CommandEnd, Partial<BrokeredEvent>]>([
    ['an end', END, { phase: 'ended', end: expect.objectContaining({ exitCode: 0, error: null }) }],
    [
      'a program that couldn’t be started',
      { ...END, exitCode: null, startError: 'The program x was not found.' },
      { phase: 'ended', end: expect.objectContaining({ error: 'The program x was not found.' }) },
    ],
    [
      'an end that left something running',
      { ...END, isLeftRunning: true },
      { phase: 'left_running', end: expect.objectContaining({ exitCode: 0 }) },
    ],
  ])('says of %s what it was', (_what, end, event) => {
    journal().ended(RESTART, end);
    expect(events).toMatchObject([{ number: 1, ...event }]);
  });

  it('[BND-2.8] never says that a command has ended that could not be ended', () => {
    const commands = journal();
    commands.leftRunning(RESTART);
    commands.close();
    commands.ended(RESTART, END);
    expect(events).toMatchObject([{ phase: 'left_running', end: null }]);
  });

  it('lists 300 refusals a minute, and always one of a command that was expected or started', async () => {
    const commands = journal();
    for (let number = 1; number <= 400; number += 1) {
      commands.refused({ ...RESTART, number, rule: null }, REFUSAL);
    }
    expect(events.length).toBeLessThanOrEqual(600);
    expect(events.length).toBeLessThan(400);
    expect(manyRefused).toBe(1);
    const listed = events.length;
    commands.expect(401);
    commands.refused({ ...RESTART, number: 401 }, REFUSAL);
    await commands.started({ ...RESTART, number: 402 });
    commands.refused({ ...RESTART, number: 402 }, REFUSAL);
    expect(events.slice(listed)).toMatchObject([
      { number: 401, phase: 'refused', changes: true, refusal: REFUSAL },
      { number: 402, phase: 'started' },
      { number: 402, phase: 'refused', changes: true, refusal: REFUSAL },
    ]);
  });
});
