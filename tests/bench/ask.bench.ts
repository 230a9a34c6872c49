/**
 * A conversation of 30 turns with the real CLI, each turn resumed, beside the same turns from the
 * whole transcript: what goes to the process, what the model has to read, how long it takes.
 */

import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AGENTS } from '@/lib/agents/registry';
import { renderTranscript, type SaidTurn } from '@/lib/engine/kinds/turn/transcript';
import { askPrompts } from '@/lib/engine/prompts/ask-prompt';
import type { StartSpec } from '@/lib/protocol/spec';
import { fetchClis } from '@/scripts/fetch-cli.mjs';
import type { StoredAttempt } from '@/tests/support/fake-control-plane/attempt-store';
import { type RunnerHost, startRunnerHost } from '@/tests/support/fake-control-plane/runner-host';
import { startMessagesApi } from '@/tests/support/messages-api/messages-api';
import { callBash, say } from '@/tests/support/messages-api/reply';
import { inSeconds, printResult, quantile, spread } from './support/figures';
import { promptCache } from './support/prompt-cache';

const TURNS = 30;
const SHOWN = [2, 15, 30];
/** A turn from the transcript needs none before it, so a third of them tells enough. */
const isCompared = (position: number) => position % 3 === 0 || SHOWN.includes(position);
/** As an operator asks, and as an agent answers after one look at a log. */
const MESSAGE = 'Is the disk of web still filling, and what has changed since you last looked?';
const ANSWER = 'The disk of web is at 71 percent, two more than before. '.repeat(20);
const LOOK = 'seq 500';

interface Turn {
  position: number;
  promptBytes: number;
  newTokens: number;
  cachedTokens: number;
  ms: number;
}

/** One of the two conversations, in a project of its own. */
class Talk {
  readonly turns: Turn[] = [];
  readonly #ids = { organizationId: randomUUID(), projectId: randomUUID() };
  #last: string | null = null;

  constructor(
    readonly host: RunnerHost,
    readonly isResumed: boolean,
  ) {}

  async ask(position: number): Promise<void> {
    const start = this.#start(position);
    const attempt = await this.host.run({ ...this.#ids, start });
    this.#last = start.cliSessionId;
    const promptBytes = Buffer.byteLength(start.prompt);
    this.turns.push({ position, promptBytes, ...costOf(attempt) });
  }

  turn(position: number): Turn | undefined {
    return this.turns.find((turn) => turn.position === position);
  }

  #start(position: number) {
    const said: SaidTurn = {
      author: 'alice@acme.example',
      agent: 'claude',
      message: MESSAGE,
      answer: ANSWER,
      decided: [],
    };
    const isResumed = this.isResumed && this.#last !== null;
    const turns = Array.from({ length: position - 1 }, () => said);
    const allowedRules = [`Bash(${LOOK})`];
    return {
      purpose: 'ask',
      reportSchema: null,
      questionWaitSeconds: 600,
      cliSessionId: randomUUID(),
      continuation: continuationOf(position, isResumed ? this.#last : null),
      allowedRules,
      ...askPrompts({
        project: 'Bench',
        chain: null,
        services: [],
        toolNames: AGENTS.claude.toolNames,
        tools: ['Bash', 'Read'],
        allowedRules,
        disallowedRules: [],
        askFirstRules: [],
        instructions: '',
        keepsNotes: false,
        isContinuation: false,
        isResumed,
        message: MESSAGE,
        transcript: isResumed ? null : renderTranscript({ chain: null, turns }),
      }),
    } satisfies Partial<StartSpec>;
  }

  /** Files in which the CLI keeps it: a fork begins with everything that was said before. */
  files(): number[] {
    const { organizationId, projectId } = this.#ids;
    const all = readdirSync(this.host.runnerDir, { recursive: true, encoding: 'utf8' });
    return all
      .filter((name) => name.endsWith('.jsonl') && name.includes('/config/projects/'))
      .filter((name) => name.includes(organizationId) && name.includes(projectId))
      .map((name) => statSync(path.join(this.host.runnerDir, name)).size);
  }
}

function continuationOf(position: number, resumed: string | null): StartSpec['continuation'] {
  if (resumed !== null) return { mode: 'resume', parentCliSessionId: resumed };
  return { mode: position === 1 ? 'fresh' : 'transcript' };
}

function costOf(attempt: StoredAttempt): Omit<Turn, 'position' | 'promptBytes'> {
  const [result] = attempt.results;
  const events = attempt.events();
  const answer = events.find((event) => event.kind === 'result');
  if (!result?.startedAt || answer?.text !== ANSWER.trim()) {
    throw new Error(`The agent has not answered: ${answer?.text ?? result?.stderrTail}`);
  }
  const requests = events.filter((event) => event.kind === 'request_usage');
  const byId = new Map(requests.map((request) => [request.messageId, request]));
  const sum = (pick: (request: (typeof requests)[number]) => number) =>
    [...byId.values()].reduce((total, request) => total + pick(request), 0);
  return {
    newTokens: sum((request) => request.inputTokens + request.cacheWriteTokens),
    cachedTokens: sum((request) => request.cacheReadTokens),
    ms: Date.parse(result.endedAt) - Date.parse(result.startedAt),
  };
}

const count = (value: number) => value.toLocaleString('en');

function sentenceOf({ promptBytes, newTokens, cachedTokens, ms }: Turn): string {
  return `${count(promptBytes)} bytes to the process; input tokens ${count(newTokens)} new, ${count(cachedTokens)} from cache; ${inSeconds(ms)}`;
}

function figuresOf(resumed: Talk, fresh: Talk): Record<string, string> {
  const shown = SHOWN.flatMap((position) =>
    [resumed, fresh].flatMap((talk): [string, string][] => {
      const turn = talk.turn(position);
      const name = `turn ${position}, ${talk.isResumed ? 'resumed' : 'from the transcript'}`;
      return turn === undefined ? [] : [[name, sentenceOf(turn)]];
    }),
  );
  const followUps = (talk: Talk) => talk.turns.filter(({ position }) => position > 1);
  const sizes = followUps(resumed).map(({ promptBytes }) => promptBytes);
  const news = followUps(resumed).map(({ newTokens }) => newTokens);
  const files = resumed.files();
  return {
    ...Object.fromEntries(shown),
    'resumed, least and most of all follow-ups': `${count(Math.min(...sizes))} and ${count(Math.max(...sizes))} bytes; ${count(Math.min(...news))} and ${count(Math.max(...news))} new tokens`,
    'time of a turn, resumed': spread(followUps(resumed).map(({ ms }) => ms)),
    'time of a turn, from the transcript': spread(followUps(fresh).map(({ ms }) => ms)),
    'what the CLI writes for the resumed one': `${files.length} files, ${kilobytes(files)} kB, the largest ${kilobytes([quantile(files, 1)])} kB`,
  };
}

function kilobytes(files: readonly number[]): string {
  return count(Math.round(files.reduce((sum, bytes) => sum + bytes, 0) / 1_000));
}

async function measure(binary: string): Promise<Record<string, string>> {
  const usageOf = promptCache();
  const api = await startMessagesApi({
    script: (request) =>
      request.lastToolResults.length === 0
        ? callBash(LOOK, usageOf(request))
        : say(ANSWER.trim(), usageOf(request)),
  });
  const host = await startRunnerHost({
    claudeBin: binary,
    env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'key-of-the-runner' },
  });
  try {
    const [resumed, fresh] = [new Talk(host, true), new Talk(host, false)];
    // In turns, so that what slows the machine down slows both.
    for (let position = 1; position <= TURNS; position += 1) {
      await resumed.ask(position);
      if (isCompared(position)) await fresh.ask(position);
    }
    return figuresOf(resumed, fresh);
  } finally {
    await host.close();
    await api.close();
  }
}

const cli = (await fetchClis()).findLast(({ problem }) => problem === null);
printResult({
  title: `A conversation of ${TURNS} turns`,
  target: 'what a resumed turn sends stays flat',
  figures: cli ? await measure(cli.binary) : {},
});
