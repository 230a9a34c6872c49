/**
 * Streams of both CLIs, recorded as they were interrupted or killed. Only message starts and ends
 * of their partial messages are kept.
 */
import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { ModelUsage } from '@/lib/protocol/figures';
import { estimateCost } from '../prices';
import { fixtureEvents } from './fixtures/fixture';
import { requestInFlight } from './in-flight';
import { CLAUDE_PRICES } from './prices';
import { bookAttempt } from './usage';

const MODELS = { '2.1.197': 'claude-haiku-4-5-20251001', '2.1.330': 'claude-haiku-5-5' } as const;
const VERSIONS = ['2.1.197', '2.1.330'] as const;

const tokens = (input: number, output: number, cacheRead: number, cacheWrite: number) => ({
  inputTokens: input,
  outputTokens: output,
  cacheReadTokens: cacheRead,
  cacheWriteTokens: cacheWrite,
});

/** What the resumed conversation had reported; 2.1.330 counts it again. */
const PARENT: ModelUsage = {
  ...tokens(1_000, 100, 10_000, 2_000),
  costUsd: 0.0005,
  contextWindow: null,
};
/** 400 characters of prompts, on a conversation of 13,100 tokens. */
const RESUMED = { promptChars: 400, contextTokens: 13_100 };
const FRESH = { promptChars: 400, contextTokens: null };

/** Its answer of 200 tokens and 13 characters of output, behind the 26,000 tokens of the request. */
const AWAITED = tokens(0, 0, 26_000, 204);
const FIRST = tokens(2_000, 200, 20_000, 4_000);
const SECOND = tokens(3_000, 300, 30_000, 6_000);

const sum = (a: typeof FIRST, b: typeof FIRST) =>
  tokens(
    a.inputTokens + b.inputTokens,
    a.outputTokens + b.outputTokens,
    a.cacheReadTokens + b.cacheReadTokens,
    a.cacheWriteTokens + b.cacheWriteTokens,
  );

describe.each(VERSIONS)('[ENG-4.1] CLI %s', (version) => {
  const model = MODELS[version];
  const events = (scene: string) => fixtureEvents(`end_${scene}_${version}.jsonl`);
  const book = (scene: string, started = RESUMED) =>
    bookAttempt(events(scene), { reported: { [model]: PARENT } }, started);

  it.each([
    // The CLI's result leaves out a request that it still waited for.
    ['awaited_interrupted', sum(FIRST, AWAITED), 'partly_estimated'],
    ['awaited_killed', sum(FIRST, AWAITED), 'estimated'],
    // The answer had begun, so the stream reports its input and one output token.
    ['answering_interrupted', sum(FIRST, { ...SECOND, outputTokens: 1 }), 'partly_estimated'],
    ['answering_killed', sum(FIRST, { ...SECOND, outputTokens: 1 }), 'estimated'],
    // Nothing was in flight while a command ran.
    ['command_interrupted', sum(FIRST, SECOND), 'reported'],
    ['command_killed', sum(FIRST, SECOND), 'estimated'],
    // Not one request was answered: what is known is the conversation before.
    ['first_awaited_interrupted', tokens(0, 0, 13_100, 100), 'estimated'],
  ] as const)('%s', (scene, expected, source) => {
    expect(book(scene)).toEqual([
      {
        model,
        ...expected,
        costUsd: expect.closeTo(costOf(scene, expected), 6),
        source,
        isEstimate: source !== 'reported',
        claimed: null,
      },
    ]);
  });

  it('first_awaited_killed, in a conversation of its own', () => {
    expect(bookAttempt(events('first_awaited_killed'), null, FRESH)).toMatchObject([
      { model, ...tokens(0, 0, 0, 6_100), source: 'estimated' },
    ]);
  });

  it('is booked the same however much of the result the stream does not show', () => {
    const hidden = events('awaited_interrupted').map((event) =>
      event.kind === 'result'
        ? {
            ...event,
            modelUsage: {
              [model]: {
                ...sum(sum(FIRST, tokens(50_000, 5_000, 0, 0)), PARENT),
                costUsd: 1,
                contextWindow: null,
              },
            },
          }
        : event,
    );
    const parent = version === '2.1.197' ? tokens(1_000, 100, 10_000, 2_000) : tokens(0, 0, 0, 0);
    expect(bookAttempt(hidden, { reported: { [model]: PARENT } }, RESUMED)).toMatchObject([
      sum(sum(sum(FIRST, tokens(50_000, 5_000, 0, 0)), parent), AWAITED),
    ]);
  });

  /** Requests are priced one by one, since long ones cost more. */
  function costOf(scene: string, all: typeof FIRST): number {
    const second = tokens(
      all.inputTokens - FIRST.inputTokens,
      all.outputTokens - FIRST.outputTokens,
      all.cacheReadTokens - FIRST.cacheReadTokens,
      all.cacheWriteTokens - FIRST.cacheWriteTokens,
    );
    if (scene.startsWith('first')) return estimateCost(CLAUDE_PRICES, model, all);
    return estimateCost(CLAUDE_PRICES, model, FIRST) + estimateCost(CLAUDE_PRICES, model, second);
  }
});

describe('[ENG-4.1] nothing is in flight', () => {
  it.each([
    ['before a conversation began', 'resume_unknown_id.jsonl'],
    ['after a result', 'stream_partial.jsonl'],
    ['after the calls of a sub-agent', 'stream_subagent.jsonl'],
    ['after two results', 'stream_background_two_results.jsonl'],
    ['after a refused retry', 'stream_retry_529.jsonl'],
  ])('%s', (_title, file) => {
    expect(requestInFlight(fixtureEvents(file), FRESH)).toBeNull();
    expect(bookAttempt(fixtureEvents(file), null).filter((line) => line.isEstimate)).toEqual([]);
  });

  const until = (kind: RunnerEvent['kind']) => {
    const all = fixtureEvents('stream_retry_529.jsonl');
    return all.slice(0, all.findIndex((event) => event.kind === kind) + 1);
  };

  it('while the provider refuses requests, since it bills none of those', () => {
    expect(requestInFlight(until('init'), FRESH)).not.toBeNull();
    expect(requestInFlight(until('api_retry'), FRESH)).toBeNull();
  });

  it('while one of several calls still runs', () => {
    const call = (toolUseId: string): RunnerEvent => ({
      kind: 'tool_call',
      messageId: 'm',
      toolUseId,
      tool: 'Bash',
      input: {},
      parentToolUseId: null,
    });
    const result = (toolUseId: string): RunnerEvent => ({
      kind: 'tool_result',
      toolUseId,
      isError: false,
      denied: false,
      content: 'x'.repeat(40),
      stdout: null,
      stderr: null,
      exitCode: 0,
      cutBytes: 4_000,
    });
    const request: RunnerEvent = {
      kind: 'request_usage',
      messageId: 'm',
      model: 'claude-haiku-4-5',
      ...FIRST,
      final: true,
    };
    const init = fixtureEvents('stream_partial.jsonl').filter(({ kind }) => kind === 'init');
    const running = [...init, request, call('a'), call('b'), result('a')];
    expect(requestInFlight(running, FRESH)).toBeNull();
    // With the second result both go out: 8,080 characters, and the 200 tokens of the answer.
    expect(requestInFlight([...running, result('b')], FRESH)).toEqual({
      kind: 'unanswered',
      model: 'claude-haiku-4-5',
      tokens: tokens(0, 0, 26_000, 2_220),
    });
  });
});
