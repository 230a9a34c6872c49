import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptResult } from '@/lib/protocol/schema';
import {
  END_FACTS,
  HEALTHY,
  INIT,
  PARENT_ID,
  RESUMING,
  resultEvent,
  START,
} from '@/tests/support/settlement-facts';
import { type EndFacts, planEnd, startedWith } from './end-plan';

const REPORT = { ok: true, report: HEALTHY } as const;
const plan = (
  change: Partial<Omit<EndFacts, 'result'>> & { result?: Partial<AttemptResult> } = {},
) =>
  planEnd({ ...END_FACTS, ...change, result: { ...END_FACTS.result, ...change.result } }, REPORT);
const resumes = { start: RESUMING, isLate: false };
const PARENT = { reported: null, depth: 1, cumulativeTokens: null, contextTokens: 15_000 };
const rateLimit = (status: string, resetsAt: number): RunnerEvent => ({
  kind: 'rate_limit',
  status,
  resetsAt,
});
const retry = (status: number | null): RunnerEvent => ({
  kind: 'api_retry',
  attempt: 1,
  maxRetries: 10,
  delayMs: 1,
  status,
  error: null,
});
const refused = resultEvent({ isError: true, apiErrorStatus: 429 });

describe('the end of an attempt', () => {
  it('needs a start', () => {
    expect(() => plan({ attempt: { start: null, isLate: false } })).toThrow('without a start');
  });

  it('counts the last result', () => {
    const last = resultEvent({ text: 'the last' });
    expect(plan({ events: [INIT, resultEvent(), last] }).result).toEqual(last);
    expect(plan({ events: [INIT] }).result).toBeNull();
  });

  it.each<[string, Parameters<typeof plan>[0], string | null]>([
    ['one that can be continued', {}, 'confirmed'],
    [
      'none where the process named another',
      { events: [{ ...INIT, cliSessionId: PARENT_ID }, resultEvent()] },
      null,
    ],
    ['none where its process never named it', { events: [resultEvent()] }, null],
    ['none where its transcript was not seen', { result: { transcriptSeen: false } }, null],
    [
      'a retired one where the context is exhausted',
      { events: [INIT, resultEvent({ isError: true, terminalReason: 'prompt_too_long' })] },
      'retired',
    ],
  ])('[RES-1.1] leaves as its conversation %s', (_, change, pointer) => {
    expect(plan(change).pointer).toBe(pointer);
  });

  it.each<[string, Parameters<typeof plan>[0], string | null]>([
    ['a completed resume', { attempt: resumes }, null],
    [
      'a rejected resume',
      {
        attempt: resumes,
        events: [],
        result: { stderrTail: 'No conversation found with session ID: f1647ee4' },
      },
      'resume_rejected',
    ],
    [
      'a crashed resume',
      { attempt: resumes, events: [INIT], result: { exit: { code: 1, signal: null } } },
      null,
    ],
    [
      'a full conversation of its own',
      { events: [INIT, resultEvent({ isError: true, terminalReason: 'prompt_too_long' })] },
      null,
    ],
  ])('[CNV-3.1] retires the conversation that it resumed: %s', (_, change, end) => {
    expect(plan({ parent: PARENT, ...change }).retiresParentFor).toBe(end);
  });

  it('[RES-5.3] books a resume net of its parent, and a fresh start whole', () => {
    const { modelUsage } = resultEvent();
    const parent = { ...PARENT, reported: modelUsage };
    const double = Object.fromEntries(
      Object.entries(modelUsage).map(([model, usage]) => [
        model,
        { ...usage, inputTokens: 3_000, outputTokens: 500, costUsd: 0.5 },
      ]),
    );
    const events = [INIT, resultEvent({ modelUsage: double })];
    expect(plan({ events, attempt: resumes, parent }).ledger).toMatchObject([
      { inputTokens: 2_000, outputTokens: 300, costUsd: 0.47 },
    ]);
    expect(plan({ events, parent }).ledger).toMatchObject([{ inputTokens: 3_000, costUsd: 0.5 }]);
  });

  it('asks for a report where one is expected', () => {
    const events = [INIT, resultEvent({ structuredOutput: null })];
    const end = (report: Parameters<typeof planEnd>[1]) =>
      planEnd({ ...END_FACTS, events }, report).classified.end;
    expect(end(REPORT)).toBe('completed');
    expect(end(null)).toBe('completed');
    expect(end({ ok: false, error: 'The agent submitted no report.' })).toBe('report_missing');
  });

  it.each<[string, RunnerEvent[], number]>([
    ['a short one, that the agent retried', [retry(429)], 60],
    ['a long one, that it did not retry', [], 900],
    ['one after retries for another reason', [retry(529), retry(null)], 900],
  ])('waits after a rate limit of unknown length: %s', (_, retries, seconds) => {
    const { classified } = plan({ events: [INIT, ...retries, refused] });
    expect(classified.retry).toEqual({ kind: 'after', seconds });
  });

  it('waits for the rate limit that refused a request, and not for one that warns', () => {
    const resetsAt = (seconds: number) => Date.parse(END_FACTS.result.endedAt) / 1_000 + seconds;
    const events = [
      INIT,
      rateLimit('rejected', resetsAt(60)),
      rateLimit('rejected', resetsAt(120)),
      rateLimit('allowed_warning', resetsAt(7_200)),
      refused,
    ];
    const { retry, end } = plan({ events }).classified;
    expect(end).toBe('rate_limited');
    expect(retry).toMatchObject({ kind: 'after' });
    const waits = (given: RunnerEvent[]) => {
      const classified = plan({ events: given }).classified;
      return classified.retry.kind === 'after' ? classified.retry.seconds : null;
    };
    const only = waits([INIT, rateLimit('rejected', resetsAt(120)), refused]);
    expect(waits(events)).toBe(only);
    expect(only).toBeGreaterThanOrEqual(120);
    expect(only).toBeLessThan(200);
  });

  it('names the figures that were out of range, of all events', () => {
    const found = { figure: 'totalCostUsd', value: '1e+300' };
    const events = [{ ...INIT }, resultEvent({ outOfRange: [found] }), resultEvent()];
    expect(plan({ events }).outOfRange).toEqual([found]);
    expect(plan().outOfRange).toEqual([]);
  });
});

it.each<[Parameters<typeof startedWith>[0], object]>([
  [
    { attempt: { start: START, isLate: false }, parent: PARENT },
    { promptChars: START.prompt.length + START.systemPrompt.length, contextTokens: 15_000 },
  ],
  [
    { attempt: { start: null, isLate: false }, parent: null },
    { promptChars: 0, contextTokens: null },
  ],
])('knows what a process was started with: %#', (facts, started) => {
  expect(startedWith(facts)).toEqual(started);
});
