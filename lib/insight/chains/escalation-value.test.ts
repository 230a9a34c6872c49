import { describe, expect, it } from 'vitest';
import type { PriceTable } from '@/lib/agents/prices';
import {
  callKey,
  escalationValue,
  type HopFacts,
  type SessionWork,
  type WorkCallFact,
} from './escalation-value';
import { totalEscalations, totalsLines, totalsSentence } from './escalation-words';

/** $1 a million read, $10 written to the cache, $0.10 from the cache, $20 said. */
const prices: PriceTable = {
  measuredOn: '2026-11-21',
  models: [['model-a', { input: 1, output: 20, cacheRead: 0.1, cacheWrite: 10 }]],
  unknownModel: { input: 9, output: 9, cacheRead: 9, cacheWrite: 9 },
};

const request = (cacheReadTokens: number, cacheWriteTokens: number, inputTokens = 0) => ({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
});

let seq = 0;
const bash = (command: string, mayHaveChanged = false): WorkCallFact => {
  seq += 1;
  return { seq, tool: 'Bash', input: { command }, mayHaveChanged };
};

function parentWork(calls: WorkCallFact[]): SessionWork {
  return {
    usage: {
      model: 'model-a',
      requests: 3,
      first: request(0, 4_000),
      last: request(9_000, 1_000),
      outputTokens: 500,
    },
    calls,
    hasCompacted: false,
    unknown: null,
  };
}

function childWork(calls: WorkCallFact[] = []): SessionWork {
  return {
    usage: {
      model: 'model-a',
      requests: 5,
      first: request(10_000, 1_000),
      last: request(14_000, 0),
      outputTokens: 800,
    },
    calls,
    hasCompacted: false,
    unknown: null,
  };
}

function hop(changes: Partial<HopFacts> = {}): HopFacts {
  return {
    mechanism: 'resume',
    parent: parentWork([bash('docker ps'), bash('df -h')]),
    child: childWork(),
    base: request(0, 4_000),
    // 1,000 tokens.
    handoffChars: 4_000,
    prices,
    ...changes,
  };
}

describe('[PAG-2.1] what resuming was worth', () => {
  it('is what the first request and those after it read more than a handoff start', () => {
    const { premium } = escalationValue(hop());
    // First: 10,000 × 0.1 + 1,000 × 10 against 5,000 × 10. Then 4 × (11,000 − 5,000) × 0.1.
    expect(premium.micros).toBe(1_000 + 10_000 - 50_000 + 2_400);
    expect(premium.basis).toBe(
      'Its first request read 11k tokens; a start from the handoff would have read about 5k. 4 requests after it read the difference from the cache.',
    );
  });

  it('is positive where the conversation had left the cache', () => {
    const child = childWork();
    const cold = { ...child, usage: child.usage && { ...child.usage, first: request(0, 11_000) } };
    expect(escalationValue(hop({ child: cold })).premium.micros).toBe(110_000 - 50_000 + 2_400);
  });

  it('saves what the calls of the parent would have cost again', () => {
    const { saving, netMicros, premium } = escalationValue(hop());
    // 500 × 20 said, 6,000 × 10 read without the cache, and 2 requests × 5,000 × 0.1 from the cache.
    expect(saving.micros).toBe(10_000 + 60_000 + 1_000);
    expect(netMicros).toBe(71_000 - (premium.micros ?? 0));
  });

  it.each([
    ['half of them were made again', [bash('docker ps')], 35_500],
    ['all of them were made again', [bash('docker ps'), bash('df  -h')], 0],
    [
      'one again, but only after a change',
      [bash('docker restart web', true), bash('docker ps')],
      71_000,
    ],
  ])('saves less where %s', (_what, calls, micros) => {
    expect(escalationValue(hop({ child: childWork(calls) })).saving.micros).toBe(micros);
  });

  it('saves nothing where the parent made no calls, which is known', () => {
    expect(escalationValue(hop({ parent: parentWork([]) })).saving.micros).toBe(0);
  });

  it.each<[string, Partial<HopFacts>, string]>([
    ['it was handed off', { mechanism: 'handoff' }, 'not_resumed'],
    ['the child reported no usage', { child: { ...childWork(), usage: null } }, 'no_usage'],
    ['the parent reported none', { parent: { ...parentWork([]), usage: null } }, 'no_usage'],
    ['the first session reported none', { base: null }, 'no_usage'],
    ['the agent has no prices', { prices: null }, 'no_price'],
    ['the model is not in the table', { prices: { ...prices, models: [] } }, 'no_price'],
    ['no handoff was built', { handoffChars: null }, 'no_handoff'],
    ['the log is gone', { parent: { ...parentWork([]), unknown: 'log_deleted' } }, 'log_deleted'],
    ['it was compacted', { child: { ...childWork(), hasCompacted: true } }, 'compacted'],
  ])('is unknown where %s', (_what, changes, unknown) => {
    const value = escalationValue(hop(changes));
    expect(value.premium).toEqual({ micros: null, basis: null, unknown });
    expect(value.saving).toEqual({ micros: null, basis: null, unknown });
    expect(value.netMicros).toBeNull();
  });
});

describe('[PAG-2.1] tool calls that a tier repeated from its parent', () => {
  it('are those with the same tool and input, each time, resumed or handed off', () => {
    const parent = parentWork([bash('docker ps'), bash('df -h'), bash('docker ps')]);
    const child = childWork([
      bash(' docker   ps\n'),
      bash('docker logs web'),
      bash('docker restart web', true),
      bash('docker ps'),
    ]);
    for (const mechanism of ['resume', 'handoff']) {
      const { repeated, calls } = escalationValue(hop({ parent, child, mechanism }));
      expect(calls).toBe(4);
      expect(repeated).toEqual([
        {
          tool: 'Bash',
          text: 'docker ps',
          seq: child.calls[0]?.seq,
          parentSeq: parent.calls[0]?.seq,
          isAfterChange: false,
        },
        expect.objectContaining({ seq: child.calls[3]?.seq, isAfterChange: true }),
      ]);
    }
  });

  it('are unknown without a log', () => {
    const gone: SessionWork = { ...parentWork([]), unknown: 'log_deleted' };
    expect(escalationValue(hop({ parent: gone }))).toMatchObject({ calls: null, repeated: [] });
  });

  it.each([
    ['white space', { command: 'df  -h ' }, { command: 'df -h' }, true],
    ['its own description', { command: 'df', description: 'Disk' }, { command: 'df' }, true],
    ['the order of fields', { a: '1', b: '2' }, { b: '2', a: '1' }, true],
    ['another command', { command: 'df -h' }, { command: 'df -i' }, false],
    ['another path', { file_path: '/a' }, { file_path: '/b' }, false],
  ])('compare apart from %s', (_what, one, other, isSame) => {
    const key = (input: Record<string, string>) => callKey({ tool: 'Bash', input: { ...input } });
    expect(key(one as never) === key(other as never)).toBe(isSame);
  });
});

describe('[PAG-2.1] escalations in sum', () => {
  const again = childWork([bash('docker ps'), bash('uptime')]);

  it('say what resuming saved and how much was repeated', () => {
    const totals = totalEscalations(
      [
        { mechanism: 'resume', value: escalationValue(hop({ child: again })) },
        {
          mechanism: 'handoff',
          value: escalationValue(hop({ mechanism: 'handoff', child: again })),
        },
        { mechanism: 'resume', value: escalationValue(hop({ base: null })) },
      ],
      false,
    );
    expect(totals).toMatchObject({
      valued: 1,
      resumed: { calls: 2, repeated: 1 },
      handedOff: { calls: 2, repeated: 1 },
      unknown: [{ reason: 'no_usage', count: 1 }],
    });
    expect(totalsSentence(totals)).toBe(
      'Resuming saved est. $0.07 in 1 escalation; 2 of 4 tool calls were repeated.',
    );
    expect(totalsLines(totals).map(({ label, detail }) => `${label}: ${detail}`)).toEqual([
      'Saved by not looking again: est. $0.04',
      'Saved by reading the conversation from the cache: est. $0.04',
      'Tool calls repeated after resuming: 1 of 2',
      'Tool calls repeated after a handoff: 1 of 2',
      'Not compared: no usage was reported: 1 escalation',
    ]);
  });

  it('say what it cost where the premium was higher', () => {
    const child = childWork([bash('docker ps'), bash('df -h')]);
    const cold = { ...child, usage: child.usage && { ...child.usage, first: request(0, 11_000) } };
    const value = escalationValue(hop({ child: cold }));
    expect(totalsSentence(totalEscalations([{ mechanism: 'resume', value }], false))).toMatch(
      /^Resuming cost est\. \$\d\.\d\d more than handing off would have in 1 escalation; /,
    );
  });

  it('never claim an amount where nothing could be compared', () => {
    const value = escalationValue(hop({ prices: null }));
    const totals = totalEscalations([{ mechanism: 'resume', value }], false);
    expect(totalsSentence(totals)).toBe('');
  });
});
