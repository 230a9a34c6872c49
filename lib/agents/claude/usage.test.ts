import { describe, expect, it } from 'vitest';
import { compareVersions } from '@/lib/platform/version-list';
import type { MeteredEvent } from '@/lib/protocol/confined-events';
import type { HarnessEvent, ResultEvent } from '@/lib/protocol/events';
import type { ModelUsage } from '@/lib/protocol/figures';
import { lastContextTokens } from '../booking';
import { estimateCost } from '../prices';
import { fixtureEvents } from './fixtures/fixture';
import { CLAUDE_PRICES } from './prices';
import { bookAttempt, bookedUsage, meterRequests, reportedWindow } from './usage';
import { isTestedVersion, usageScope } from './versions';

function usage(input: number, output: number, costUsd: number): ModelUsage {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd,
    contextWindow: 200_000,
  };
}

function request(
  messageId: string,
  inputTokens: number,
  outputTokens: number,
  more: { model?: string; final?: boolean; parentToolUseId?: string } = {},
): HarnessEvent {
  return {
    kind: 'request_usage',
    messageId,
    model: 'claude-haiku-4-5',
    inputTokens,
    outputTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    final: true,
    ...more,
  };
}

function init(cliVersion: string | null): HarnessEvent {
  return {
    kind: 'init',
    cliSessionId: 'a',
    cliVersion,
    model: 'm',
    tools: [],
    mcpServers: [],
    permissionMode: 'dontAsk',
    cwd: null,
  };
}

function result(modelUsage: Record<string, ModelUsage>): ResultEvent {
  return {
    kind: 'result',
    subtype: 'success',
    isError: false,
    apiErrorStatus: null,
    terminalReason: 'completed',
    stopReason: 'end_turn',
    cliSessionId: 'a',
    numTurns: 1,
    durationMs: 1,
    durationApiMs: 1,
    totalCostUsd: 0,
    modelUsage,
    text: '',
    errors: [],
    structuredOutput: null,
    permissionDenials: [],
  };
}

describe('metering', () => {
  it('counts each request once, as last reported', () => {
    const events = [
      request('a', 10, 1, { final: false }),
      request('a', 10, 50),
      request('b', 7, 3),
    ];
    expect(meterRequests(events)).toMatchObject({
      'claude-haiku-4-5': { inputTokens: 17, outputTokens: 53 },
    });
  });

  it('keeps models apart and prices each request on its own', () => {
    const events = [
      request('a', 90_000, 0, { model: 'claude-haiku-5-5' }),
      request('b', 90_000, 0, { model: 'claude-haiku-5-5' }),
      request('c', 1_000_000, 0, { model: 'claude-opus-5-5' }),
    ];
    const metered = meterRequests(events);
    expect(metered['claude-haiku-5-5']?.estimatedUsd).toBeCloseTo(0.018, 9);
    expect(metered['claude-opus-5-5']?.estimatedUsd).toBeCloseTo(4, 9);
  });

  it('of a captured stream equals what its result says', () => {
    expect(meterRequests(fixtureEvents('stream_partial.jsonl'))).toMatchObject({
      'claude-opus-4-8': {
        inputTokens: 1_000,
        outputTokens: 100,
        cacheReadTokens: 10_000,
        cacheWriteTokens: 2_000,
        estimatedUsd: 0.025,
      },
    });
  });
});

describe('context', () => {
  it('[RES-8.1] is the last request of the conversation, with what was read, written and said', () => {
    expect(lastContextTokens(fixtureEvents('stream_partial.jsonl'))).toBe(13_100);
    const cumulative = [request('a', 15_000, 10), request('b', 15_100, 20)];
    expect(lastContextTokens(cumulative)).toBe(15_120);
  });

  it("is not a sub-agent's", () => {
    const events = [request('a', 100, 1), request('s', 9_000, 1, { parentToolUseId: 'toolu' })];
    expect(lastContextTokens(events)).toBe(101);
    expect(lastContextTokens([])).toBeNull();
    const odd = { ...request('a', 1, 1), outOfRange: [{ figure: 'inputTokens', value: '1e+300' }] };
    expect(lastContextTokens([odd])).toBeNull();
    expect(lastContextTokens([odd, request('b', 2, 1)])).toBe(3);
  });
});

describe('[RES-5.3] usage without the parent’s share', () => {
  const parent = { haiku: usage(1_000, 100, 0.03) };
  const grown = { haiku: usage(1_000, 100, 0.03), sonnet: usage(2_000, 200, 0.47) };

  it.each([
    ['per process: as it stands', grown, parent, 'process', grown],
    ['without a parent: as it stands', grown, null, 'conversation', grown],
    [
      'the parent on another model is taken out',
      grown,
      parent,
      'conversation',
      { sonnet: usage(2_000, 200, 0.47) },
    ],
    [
      'the parent on the same model is taken off',
      { haiku: usage(1_500, 150, 0.05) },
      parent,
      'conversation',
      { haiku: usage(500, 50, 0.02) },
    ],
    [
      "totals that cannot have the parent's in them are booked whole",
      { haiku: usage(7, 3, 0.001) },
      parent,
      'conversation',
      { haiku: usage(7, 3, 0.001) },
    ],
    ['nothing spent: nothing booked', parent, parent, 'conversation', {}],
    ['an empty result books nothing', {}, parent, 'conversation', {}],
  ] as const)('%s', (_, reported, before, scope, expected) => {
    const booked = bookedUsage(reported, before, scope);
    expect(Object.keys(booked)).toEqual(Object.keys(expected));
    for (const [model, line] of Object.entries(expected)) {
      expect(booked[model]).toMatchObject({
        ...line,
        costUsd: expect.closeTo(line.costUsd ?? 0, 9),
      });
    }
  });

  it('totals are booked whole where one of two models has less than the parent', () => {
    const two = { haiku: usage(1_000, 100, 0.03), sonnet: usage(50, 5, 0.01) };
    const reported = { haiku: usage(1_500, 150, 0.05), sonnet: usage(7, 3, 0.001) };
    expect(bookedUsage(reported, two, 'conversation')).toEqual(reported);
    const fewer = { haiku: { ...usage(1_500, 99, 0.05) }, sonnet: two.sonnet };
    expect(bookedUsage(fewer, two, 'conversation')).toEqual(fewer);
    expect(bookedUsage({ haiku: reported.haiku }, two, 'conversation')).toEqual({
      haiku: reported.haiku,
    });
  });

  it.each([
    ['of the process', null, 0.03],
    ['of its parent', 0.05, null],
    ['of both', null, null],
  ])('an unknown cost %s leaves the tokens net and the cost unknown', (_, own, parents) => {
    const reported = { haiku: { ...usage(1_500, 150, 0), costUsd: own } };
    const before = { haiku: { ...usage(1_000, 100, 0), costUsd: parents } };
    expect(bookedUsage(reported, before, 'conversation')).toMatchObject({
      haiku: { inputTokens: 500, outputTokens: 50, costUsd: null },
    });
  });

  it('a model without new tokens is booked only for a cost that is known', () => {
    const costs = (own: number | null) => {
      const reported = { haiku: { ...usage(1_000, 100, 0), costUsd: own } };
      return bookedUsage(reported, parent, 'conversation').haiku?.costUsd;
    };
    expect(costs(0.05)).toBeCloseTo(0.02, 9);
    expect(costs(0.03)).toBeUndefined();
    expect(costs(null)).toBeUndefined();
  });

  it.each(['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const)(
    '%s alone tell whether the parent is in the totals, and what is left of them',
    (field) => {
      const unknown = (tokens: number) => ({
        haiku: { ...usage(0, 0, 0), costUsd: null, [field]: tokens },
      });
      const booked = (own: number, parents: number) =>
        bookedUsage(unknown(own), unknown(parents), 'conversation').haiku?.[field];
      expect(booked(5, 2)).toBe(3);
      expect(booked(5, 5)).toBeUndefined();
      expect(booked(5, 6)).toBe(5);
    },
  );

  it('a cost that fell is never negative', () => {
    const booked = bookedUsage({ haiku: usage(1_001, 100, 0.01) }, parent, 'conversation');
    expect(booked.haiku).toMatchObject({ inputTokens: 1, costUsd: 0 });
  });

  it('[RES-5.2] three tiers on one conversation add up to what the last one reports', () => {
    const one = { haiku: usage(1_000, 100, 0.03) };
    const two = { ...one, sonnet: usage(2_000, 200, 0.47) };
    const three = { ...two, opus: usage(3_000, 300, 2) };
    const costs = [
      bookedUsage(one, null, 'conversation').haiku?.costUsd,
      bookedUsage(two, one, 'conversation').sonnet?.costUsd,
      bookedUsage(three, two, 'conversation').opus?.costUsd,
    ];
    expect(costs).toEqual([0.03, 0.47, 2]);
  });
});

describe('[RES-5.4] the lines of an attempt', () => {
  it('without a result are an estimate from its requests', () => {
    const events = [init('2.1.330'), request('a', 1_000_000, 0)];
    expect(bookAttempt(events, null)).toMatchObject([
      { model: 'claude-haiku-4-5', inputTokens: 1_000_000, costUsd: 1, isEstimate: true },
    ]);
  });

  it('the last result counts, not their sum', () => {
    const first = result({ m: usage(10, 1, 0.1) });
    const last = result({ m: usage(30, 3, 0.3) });
    expect(bookAttempt([init('2.1.197'), first, last], null)).toEqual([
      expect.objectContaining({ model: 'm', inputTokens: 30, costUsd: 0.3, isEstimate: false }),
    ]);
  });

  it('a request that the result misses is added and marked', () => {
    const told = result({ 'claude-haiku-4-5': usage(1_000, 100, 0.0015) });
    const events = [init('2.1.197'), request('a', 1_000, 100), request('b', 1_000, 1), told];
    expect(bookAttempt(events, null)).toMatchObject([
      {
        inputTokens: 2_000,
        outputTokens: 101,
        costUsd: expect.closeTo(0.002_505, 9),
        isEstimate: true,
      },
    ]);
  });

  it('requests that show only in the result are kept', () => {
    const events = fixtureEvents('stream_subagent.jsonl');
    expect(bookAttempt(events, null)).toMatchObject([
      { model: 'claude-opus-4-8', inputTokens: 2_000, isEstimate: false },
      { model: 'claude-haiku-4-5-20251001', inputTokens: 1_000, isEstimate: false },
    ]);
  });

  it('the mark for a long window is no other model', () => {
    expect(bookAttempt(fixtureEvents('stream_partial.jsonl'), null)).toEqual([
      expect.objectContaining({ model: 'claude-opus-4-8[1m]', costUsd: 0.025, isEstimate: false }),
    ]);
  });

  it('a killed parent that never reported subtracts nothing', () => {
    const own = result({ 'claude-haiku-4-5': usage(7, 3, 0.000_022) });
    const events = [init('2.1.330'), request('a', 7, 3), own];
    expect(bookAttempt(events, { reported: null })).toMatchObject([
      { inputTokens: 7, outputTokens: 3 },
    ]);
  });

  it("a terminated parent's tokens are not booked a second time", () => {
    const withParent = result({
      'claude-haiku-4-5': usage(2_007, 203, 0.003),
      'claude-sonnet-5-5': usage(11, 5, 0.001),
    });
    const events = [init('2.1.330'), request('a', 7, 3), withParent];
    expect(bookAttempt(events, { reported: null })).toMatchObject([
      { model: 'claude-haiku-4-5', inputTokens: 7, outputTokens: 3 },
    ]);
  });

  it.each<[string | null, number, number]>([
    ['2.1.197', 1_500, 0.05],
    ['2.1.330', 500, 0.02],
    [null, 500, 0.02],
  ])('[RES-5.3] of a resume under %s are %i tokens and $%f', (version, inputTokens, costUsd) => {
    const parent = { reported: { haiku: usage(1_000, 100, 0.03) } };
    const told = result({ haiku: usage(1_500, 150, 0.05) });
    expect(bookAttempt([init(version), told], parent)).toMatchObject([
      { inputTokens, costUsd: expect.closeTo(costUsd, 9), source: 'reported', isEstimate: false },
    ]);
  });

  it('an unknown cost is estimated from the tokens of the attempt alone', () => {
    const model = 'claude-haiku-4-5';
    const parent = { reported: { [model]: usage(1_000, 100, 0.03) } };
    const told = result({ [model]: { ...usage(1_500, 150, 0), costUsd: null } });
    const net = { inputTokens: 500, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(bookAttempt([init('2.1.330'), told], parent)).toEqual([
      {
        model,
        ...net,
        costUsd: estimateCost(CLAUDE_PRICES, model, net),
        source: 'partly_estimated',
        isEstimate: true,
        claimed: null,
      },
    ]);
  });

  describe('of a child whose parent never reported', () => {
    const model = 'claude-haiku-4-5';
    const told = result({ [model]: usage(2_007, 203, 0.003) });
    const call = (tool: string): HarnessEvent => ({
      kind: 'tool_call',
      messageId: null,
      toolUseId: 't',
      tool,
      input: {},
      parentToolUseId: null,
    });
    const compaction = { kind: 'compaction', trigger: 'auto', preTokens: 1 } as HarnessEvent;
    const tokens = (more: HarnessEvent[], version = '2.1.330', parent = { reported: null }) =>
      bookAttempt([init(version), request('a', 7, 3), ...more, told], parent)[0]?.inputTokens;

    it.each<[string, HarnessEvent[], number]>([
      ['are what the stream showed', [], 7],
      ['also after another tool', [call('Bash')], 7],
      ['come from its result after a compaction, which the stream leaves out', [compaction], 2_007],
      ['come from its result after a sub-agent (Task)', [call('Task')], 2_007],
      ['come from its result after a sub-agent (Agent)', [call('Agent')], 2_007],
    ])('%s', (_, more, inputTokens) => {
      expect(tokens(more)).toBe(inputTokens);
    });

    it('come from its result where that counts the process alone', () => {
      expect(tokens([], '2.1.197')).toBe(2_007);
    });
  });

  it('without a parent come from the result, whatever the version', () => {
    const told = result({ 'claude-haiku-4-5': usage(2_007, 203, 0.003) });
    const events = [init('2.1.330'), request('a', 7, 3), told];
    expect(bookAttempt(events, null)).toMatchObject([{ inputTokens: 2_007 }]);
  });

  it('nothing known, nothing booked', () => {
    expect(bookAttempt([], null)).toEqual([]);
    expect(bookAttempt(fixtureEvents('resume_unknown_id.jsonl'), { reported: null })).toEqual([]);
  });
});

describe('versions', () => {
  it.each([
    ['2.1.197', 'process'],
    ['2.1.276', 'process'],
    ['2.1.277', 'conversation'],
    ['2.1.330', 'conversation'],
    ['2.2.0', 'conversation'],
    ['3.0.0-beta.1', 'conversation'],
    ['1.9.999', 'process'],
    [null, 'conversation'],
  ] as const)('%s counts by %s', (version, scope) => {
    expect(usageScope(version)).toBe(scope);
  });

  it('compares by number, not by letter', () => {
    expect(compareVersions('2.1.99', '2.1.197')).toBeLessThan(0);
    expect(compareVersions('2.1.330', '2.1.330')).toBe(0);
    expect(isTestedVersion('2.1.330')).toBe(true);
    expect(isTestedVersion('2.1.331')).toBe(false);
  });
});

describe('estimates', () => {
  const million = {
    inputTokens: 1_000_000,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
  it.each([
    ['claude-haiku-4-5-20251001', 1],
    ['claude-sonnet-5', 3],
    ['claude-opus-4-8', 5],
    ['claude-sonnet-5-5', 2],
    ['claude-opus-5-5', 4],
    ['claude-haiku-5-5', 0.5],
    ['some-other-model', 5],
  ])('a million input tokens of %s: $%d', (model, dollars) => {
    expect(estimateCost(CLAUDE_PRICES, model, million)).toBeCloseTo(dollars, 9);
  });
});

describe('[RES-8.2] the window that a result reports', () => {
  const windows = (model: string) =>
    reportedWindow([
      init('2.1.330'),
      result({
        parent: { ...usage(1, 1, 0), contextWindow: 1_000 },
        [model]: { ...usage(1, 1, 0), contextWindow: 2_000 },
      }),
    ]);

  it.each([
    ['m', 2_000],
    ['m[1m]', 2_000],
    ['other', null],
  ])('is that of the model that ran, not its parent’s: %s', (model, window) => {
    expect(windows(model)).toBe(window);
  });

  it('is not known before the first line, without a result, and where it names none', () => {
    const told = result({ m: usage(1, 1, 0) });
    expect(reportedWindow([told])).toBeNull();
    expect(reportedWindow([init('2.1.330')])).toBeNull();
    const silent = result({ m: { ...usage(1, 1, 0), contextWindow: null } });
    expect(reportedWindow([init('2.1.330'), silent])).toBeNull();
    expect(reportedWindow([init('2.1.330'), silent, told])).toBe(200_000);
  });
});

describe('[BND-3.2] the lines of an attempt whose requests a gateway has counted', () => {
  const metered = (messageId: string, changes: Partial<MeteredEvent> = {}): MeteredEvent => ({
    kind: 'metered',
    messageId,
    model: 'claude-haiku-4-5',
    inputTokens: 1_000,
    outputTokens: 100,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    isComplete: true,
    ...changes,
  });

  it('are the gateway’s, and cost what the CLI says where both counted the same', () => {
    const told = result({ 'claude-haiku-4-5': usage(2_000, 200, 0.007) });
    const events = [init('2.1.197'), request('a', 5, 5), metered('a'), metered('b'), told];
    expect(bookAttempt(events, null)).toMatchObject([
      {
        ...{ inputTokens: 2_000, outputTokens: 200, costUsd: 0.007 },
        ...{ source: 'metered', isEstimate: false, claimed: { costUsd: 0.007 } },
      },
    ]);
  });

  it('[HLD-2.2] have the price of searches that the provider made', () => {
    const events = [init('2.1.330'), metered('a', { webSearches: 3 }), metered('b')];
    expect(bookAttempt(events, null)).toMatchObject([{ costUsd: expect.closeTo(0.033, 9) }]);
  });

  it('[BND-3.2] count a request that ended without an answer as an estimate', () => {
    const events = [init('2.1.330'), metered('a'), metered('unanswered', { isComplete: false })];
    expect(bookAttempt(events, null)).toMatchObject([
      { source: 'partly_estimated', isEstimate: true, inputTokens: 2_000, outputTokens: 200 },
    ]);
  });

  it('keep a claim that differs beside them, with the price of the table', () => {
    const told = result({ 'claude-haiku-4-5[1m]': usage(900, 100, 0.5) });
    expect(bookAttempt([init('2.1.197'), metered('a'), told], null)).toMatchObject([
      {
        ...{ model: 'claude-haiku-4-5', inputTokens: 1_000, costUsd: expect.closeTo(0.0015, 9) },
        ...{ source: 'metered', claimed: { inputTokens: 900, costUsd: 0.5 } },
      },
    ]);
  });

  it('name a model that only the CLI claims, and book nothing for it', () => {
    const told = result({ 'claude-opus-4-8': usage(7, 7, 1) });
    expect(bookAttempt([init('2.1.197'), metered('a'), told], null)).toMatchObject([
      { model: 'claude-haiku-4-5', claimed: null },
      { model: 'claude-opus-4-8', inputTokens: 0, costUsd: 0, claimed: { costUsd: 1 } },
    ]);
  });

  it('are an estimate where an answer was cut off, or wasn’t counted to its end', () => {
    const cut = metered('a', { isComplete: false });
    expect(bookAttempt([init('2.1.197'), cut], null)).toMatchObject([
      { source: 'partly_estimated', isEstimate: true, inputTokens: 1_000 },
    ]);
    const unfinished = { ...request('b', 30, 3), final: false };
    expect(bookAttempt([init('2.1.197'), metered('a'), unfinished], null)).toMatchObject([
      { source: 'partly_estimated', isEstimate: true, inputTokens: 1_030, outputTokens: 103 },
    ]);
  });
});
