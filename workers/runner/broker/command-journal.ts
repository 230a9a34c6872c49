/**
 * What the attempt's stream says about its commands. A start without an end means that the command may
 * have run; a refusal means that it was never executed.
 */
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import type { CommandEnd } from './command-run';

export interface JournalOptions {
  /** Puts an event into the attempt's stream. */
  add(event: BrokeredEvent): void;
  /** Resolves once everything that was added is on disk. @throws Error if it can't be written */
  sync(): Promise<void>;
  /** More commands were refused within a minute than are listed. */
  onManyRefused(): void;
}

export interface JournalledCommand {
  /** Of the attempt's commands, from 1. */
  number: number;
  argv: string[];
  /** Null if no rule allows or refuses it. */
  rule: string | null;
  changes: boolean;
}

export interface CommandJournal {
  /** The control plane counts it as running or waiting from now on. */
  expect(number: number): void;
  /** One that may change something is on disk when this resolves. @throws Error if it can't be written */
  started(command: JournalledCommand): Promise<void>;
  refused(command: JournalledCommand, refusal: { code: string; message: string }): void;
  ended(command: JournalledCommand, end: CommandEnd): void;
  /** Neither it nor the runner has ended it, so it may still run. */
  leftRunning(command: JournalledCommand): void;
  /** The attempt's result is being written, so no more events are added. */
  close(): void;
}

const MAX_LISTED_REFUSALS = 300;

export function createCommandJournal(options: JournalOptions): CommandJournal {
  /** Counted as running or waiting, until an event says how they ended. */
  const unfinished = new Set<number>();
  let refusals = { minute: 0, count: 0 };
  let isOver = false;

  /** A loop of refused commands must not fill the disk: beyond a number each minute none is listed. */
  function mayListRefusal(): boolean {
    const minute = Math.floor(performance.now() / 60_000);
    if (minute !== refusals.minute) refusals = { minute, count: 0 };
    refusals.count += 1;
    if (refusals.count === MAX_LISTED_REFUSALS + 1) options.onManyRefused();
    return refusals.count <= MAX_LISTED_REFUSALS;
  }

  function finish(number: number, event: BrokeredEvent): void {
    if (isOver) return;
    unfinished.delete(number);
    options.add(event);
  }

  return {
    expect: (number) => void unfinished.add(number),
    async started(command) {
      options.add({ ...eventOf(command), phase: 'started' });
      unfinished.add(command.number);
      if (command.changes) await options.sync();
    },
    refused(command, refusal) {
      // Without it the command would read as one that may have run, and its approval as used.
      const mustList = unfinished.delete(command.number);
      if (isOver || !(mustList || mayListRefusal())) return;
      options.add({ ...eventOf(command), phase: 'refused', refusal });
    },
    ended(command, end) {
      const phase = end.isLeftRunning ? 'left_running' : 'ended';
      finish(command.number, { ...eventOf(command), phase, end: endOf(end) });
    },
    leftRunning: (command) =>
      finish(command.number, { ...eventOf(command), phase: 'left_running' }),
    close() {
      isOver = true;
    },
  };
}

function eventOf({ number, argv, rule, changes }: JournalledCommand) {
  return { kind: 'brokered', number, argv, rule, changes, refusal: null, end: null } as const;
}

function endOf(end: CommandEnd): BrokeredEvent['end'] {
  const { exitCode, signal, startError, durationMs, output, outputBytes } = end;
  return { exitCode, signal, error: startError, durationMs, output, outputBytes };
}
