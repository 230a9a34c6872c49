/** A confined attempt of the real CLI, whose Bash tool may run everything in its sandbox. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { CommandPolicy, StartSpec } from '@/lib/protocol/spec';
import { canConfine } from '../../support/confinement';
import type { StoredAttempt } from '../../support/fake-control-plane/attempt-store';
import type { RunnerHost } from '../../support/fake-control-plane/runner-host';
import type { MessagesApi, Script } from '../../support/messages-api/messages-api';
import { callBash, inFewMessages, reportBack } from '../../support/messages-api/reply';
import { REPORT_SCHEMA } from '../support/cli-host';
import { newestCli } from '../support/clis';
import type { FetchedCli } from '../support/fetch-clis.mts';
import { withRunner } from '../support/with-runner';
import { quoted } from './spellings';

export const report = reportBack({ summary: 'done' });

/** Hundreds of commands take a busy machine minutes. */
export const PATIENCE_MS = 280_000;

const LIMITS = { timeoutSeconds: 250, stallSeconds: 100, maxTurns: 400, maxBudgetUsd: null };

/** With the newest CLI, where this machine can confine it. */
export function describeConfined(title: string, body: (cli: FetchedCli) => void): void {
  for (const cli of newestCli()) {
    describe.skipIf(cli.problem !== null || !canConfine)(`CLI ${cli.version}: ${title}`, () =>
      body(cli),
    );
  }
}

export interface ConfinedHost extends RunnerHost {
  api: MessagesApi;
  /** A folder beside the runner's, which no sandbox shows unless a rule names it. */
  outside: string;
  /** Its `bin` is on the runner's PATH. Each program there writes a line to `ran`. */
  bin: string;
  addProgram(name: string, body?: string): Promise<void>;
  /** What programs of `bin` were run with, in order: `fakectl restart web`. */
  ran(): Promise<string[]>;
}

/** Not below /tmp, which every sandbox has for itself. */
const PARENT = '/var/tmp';

export async function withConfined(
  cli: FetchedCli,
  use: (host: ConfinedHost) => Promise<void>,
  script: Script = [],
): Promise<void> {
  const outside = await mkdtemp(path.join(PARENT, 'tierwatch-outside-'));
  const bin = path.join(outside, 'bin');
  const record = path.join(outside, 'ran');
  await mkdir(bin);
  const addProgram = async (name: string, body = '') => {
    const file = path.join(bin, name);
    await writeFile(file, `#!/bin/sh\necho "${name} $*" >> ${record} || exit 3\n${body}\n`);
    await chmod(file, 0o755);
  };
  const ran = async () => {
    const text = await readFile(record, 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  };
  try {
    await withRunner(
      cli.binary,
      script,
      (host, api) => use({ ...host, api, outside, bin, addProgram, ran }),
      { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin` },
    );
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
}

export function policy(allowed: string[], changes: Partial<CommandPolicy> = {}): CommandPolicy {
  return {
    allowed,
    denied: [],
    askFirst: [],
    secrets: [],
    values: {
      targets: { container: ['web'], service: ['web'], process: [] },
      service: [],
      host: [],
      url: [],
    },
    ...changes,
  };
}

export function confinedStart(changes: Partial<StartSpec> = {}): Partial<StartSpec> {
  return {
    isolation: 'required',
    reportSchema: REPORT_SCHEMA,
    tools: ['Bash', 'Read'],
    limits: LIMITS,
    ...changes,
  };
}

/** Has the agent run these commands, one after the other: each in a message of its own. */
export async function runCommands(
  host: ConfinedHost,
  commands: readonly string[],
  changes: Partial<StartSpec> = {},
  secretNames: string[] = [],
): Promise<StoredAttempt> {
  host.api.setScript([...commands.map((command) => callBash(command)), report]);
  return host.run({ start: confinedStart(changes), secretNames }, PATIENCE_MS);
}

/** Has the agent run many commands, in few messages. Those that only read may run at the same time. */
export async function runManyCommands(
  host: ConfinedHost,
  commands: readonly string[],
  changes: Partial<StartSpec> = {},
): Promise<StoredAttempt> {
  const calls = commands.map((command) => callBash(command));
  host.api.setScript([...inFewMessages(calls), report]);
  const attempt = await host.run({ start: confinedStart(changes) }, PATIENCE_MS);
  requireAll(attempt);
  return attempt;
}

/** The CLI may leave out other commands of a message in which one has failed. */
export function requireAll(attempt: StoredAttempt): void {
  const cancelled = answersOf(attempt).find((answer) => /cancelled|sibling/i.test(answer));
  if (cancelled) throw new Error(`The CLI left out commands: ${cancelled}`);
}

const LINES_PER_CALL = 12;
const LINE_ENDED = 'the-line-has-ended';

/**
 * Has the agent run many lines in few calls, each in a shell of its own: a call of the CLI takes longer
 * than a dozen of them. Returns what it read of each.
 */
export async function runManyLines(
  host: ConfinedHost,
  lines: readonly string[],
  changes: Partial<StartSpec> = {},
): Promise<{ attempt: StoredAttempt; answers: string[] }> {
  const calls = Array.from({ length: Math.ceil(lines.length / LINES_PER_CALL) }, (_, at) =>
    lines
      .slice(at * LINES_PER_CALL, (at + 1) * LINES_PER_CALL)
      .map((line) => `bash -c ${quoted(line)} 2>&1; echo; echo ${LINE_ENDED}`)
      .join('\n'),
  );
  const attempt = await runManyCommands(host, calls, changes);
  const answers = answersOf(attempt).flatMap((answer) => {
    const parts = `\n${answer}\n`.split(`\n${LINE_ENDED}\n`);
    if (parts.pop()?.trim() !== '') throw new Error(`A line never ended: ${answer.slice(-500)}`);
    return parts.map((part) => part.trim());
  });
  if (answers.length !== lines.length) throw new Error(`There are ${answers.length} answers.`);
  return { attempt, answers };
}

/** What the agent read of its commands, in order. */
export function answersOf(attempt: StoredAttempt): string[] {
  return attempt
    .events()
    .flatMap((event) => (event.kind === 'tool_result' ? [event.content] : []))
    .slice(0, -1);
}

export function brokeredOf(attempt: StoredAttempt) {
  const isBrokered = (event: RunnerEvent) => event.kind === 'brokered';
  return attempt.events().filter(isBrokered);
}
