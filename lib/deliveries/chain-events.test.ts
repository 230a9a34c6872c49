import { describe, expect, it } from 'vitest';
import { CHAIN_OUTCOMES, CHAIN_TRIGGERS } from '@/lib/engine/statuses';
import {
  type ChainFacts,
  chainEndEvents,
  chainSentence,
  chainStartedEvent,
  chainSummary,
} from './chain-events';
import { webhookEventSchema } from './schema';

function session(number: number, tier: number, costMicros: bigint): ChainFacts['sessions'][number] {
  return {
    id: `ses_${number}`,
    number,
    tier,
    model: 'opus',
    status: 'completed',
    mechanism: tier === 1 ? 'fresh' : 'resume',
    reason: null,
    costMicros,
    durationMs: 60_000,
    turns: 4,
  };
}

const at = new Date('2026-11-21T14:03:13Z');

const facts: ChainFacts = {
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  project: { id: 'prj_1', slug: 'checkout', name: 'Checkout' },
  chain: {
    id: 'chn_1',
    number: 12,
    trigger: 'schedule',
    outcome: 'fixed',
    reason: 'FIXED',
    explanation: 'Tier 3 reported a fix for payments-db, api.',
    highestTier: 3,
    isDryRun: false,
    startedAt: new Date('2026-11-21T14:00:00Z'),
    endedAt: new Date('2026-11-21T14:03:12Z'),
  },
  sessions: [session(18, 1, 30_000n), session(19, 2, 470_000n), session(20, 3, 2_000_000n)],
  servicesAffected: ['payments-db', 'api'],
  link: 'https://tierwatch.example/acme/checkout/chains/12',
};

function withChain(
  chain: Partial<ChainFacts['chain']>,
  rest: Partial<ChainFacts> = {},
): ChainFacts {
  return { ...facts, ...rest, chain: { ...facts.chain, ...chain } };
}

describe('[SAS-5.1] the summary of a chain', () => {
  it('holds the sessions in order, with their costs and the total', () => {
    const summary = chainSummary(facts);
    expect(summary.sessions.map(({ number, tier, costUsd }) => [number, tier, costUsd])).toEqual([
      [18, 1, 0.03],
      [19, 2, 0.47],
      [20, 3, 2],
    ]);
    expect(summary.totalCostUsd).toBe(2.5);
    expect(summary.chain).toMatchObject({
      number: 12,
      outcome: 'fixed',
      highestTier: 3,
      startedAt: '2026-11-21T14:00:00.000Z',
      endedAt: '2026-11-21T14:03:12.000Z',
    });
    expect(summary.servicesAffected).toEqual(['payments-db', 'api']);
  });

  it('adds micro-dollars and rounds once', () => {
    const sessions = [session(1, 1, 100_000n), session(2, 2, 200_000n)];
    expect(chainSummary({ ...facts, sessions }).totalCostUsd).toBe(0.3);
  });
});

describe('the sentence', () => {
  it.each<[string, ChainFacts]>([
    [
      'Chain #12 of Checkout reported a fix for payments-db, api at tier 3: 3 sessions, 3m 12s, $2.50.',
      facts,
    ],
    [
      'Chain #12 of Checkout ended healthy at tier 1: 1 session, 3m 12s, $0.03.',
      withChain({ outcome: 'healthy', highestTier: 1 }, { sessions: [session(18, 1, 30_000n)] }),
    ],
    [
      'Chain #12 of Checkout (dry run) suppressed an escalation for api at tier 1: 1 session, 3m 12s, $0.03.',
      withChain(
        { outcome: 'suppressed', highestTier: 1, isDryRun: true },
        { sessions: [session(18, 1, 30_000n)], servicesAffected: ['api'] },
      ),
    ],
    [
      'Chain #12 of Checkout failed: 0 sessions, $0.00.',
      withChain({ outcome: 'failed', highestTier: 0, startedAt: null }, { sessions: [] }),
    ],
    [
      'Chain #12 of Checkout needs a human at tier 2: 2 sessions, 3m 12s, $0.50.',
      withChain(
        { outcome: 'needs_human', highestTier: 2 },
        { sessions: facts.sessions.slice(0, 2), servicesAffected: [] },
      ),
    ],
  ])('%s', (sentence, given) => {
    expect(chainSentence(given)).toBe(sentence);
    expect(chainSummary(given).summary).toBe(sentence);
  });
});

describe('[SAS-5.1] the events of a chain end', () => {
  it.each(CHAIN_OUTCOMES)('%s', (outcome) => {
    const events = chainEndEvents(withChain({ outcome }), at);
    const expected = {
      skipped: [],
      needs_human: ['chain.completed', 'chain.needs_human'],
    }[outcome as string] ?? ['chain.completed'];
    expect(events.map(({ type }) => type)).toEqual(expected);
    for (const event of events) {
      expect(webhookEventSchema.parse(event)).toEqual(event);
      expect(event.timestamp).toBe('2026-11-21T14:03:13.000Z');
    }
  });
});

it('[SAS-5.1] says what started a chain, for every trigger', () => {
  const said = CHAIN_TRIGGERS.map((trigger) => {
    const event = chainStartedEvent(withChain({ trigger }), at);
    expect(webhookEventSchema.parse(event)).toEqual(event);
    return event.data.summary;
  });
  expect(said).toEqual([
    'Chain #12 of Checkout started on schedule.',
    'Chain #12 of Checkout started manually.',
    'Chain #12 of Checkout started by API.',
    'Chain #12 of Checkout started since checks fail.',
    'Chain #12 of Checkout started since an alert arrived.',
  ]);
});
