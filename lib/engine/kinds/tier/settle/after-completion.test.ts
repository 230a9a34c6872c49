import { describe, expect, it } from 'vitest';
import type { ProjectConfig } from '@/lib/projects/schema';
import {
  CONFIG,
  HEALTHY,
  SETTLED_AT,
  type SettlementChange,
  settlementFacts,
} from '@/tests/support/settlement-facts';
import { escalationInput } from './after-completion';

const line = (costUsd: number) => ({
  model: 'haiku',
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd,
  source: 'reported' as const,
  isEstimate: false,
  claimed: null,
});
const input = (change: SettlementChange = {}, ledger = [line(0.03)]) =>
  escalationInput(settlementFacts(change), { ok: true, report: HEALTHY }, ledger, SETTLED_AT);
const FILE = {
  schema_version: 1,
  recommended_tier: 2,
  services_affected: ['web'],
  check_results: [{ service: 'web', check_type: 'http', status: 'down', error: 'refused' }],
  cooldown_state: {},
};

describe('the facts of an escalation', () => {
  it('count what this attempt spent, which is not booked yet', () => {
    const spending = { chainMicros: 1_000_000, dayMicros: 2_000_000, monthMicros: 3_000_000 };
    const { budgets } = input({ spending }, [line(0.03), line(0.47)]).input;
    expect(budgets.map(({ spentMicros }) => spentMicros)).toEqual([
      1_500_000, 2_500_000, 3_500_000,
    ]);
  });

  it.each<[object, SettlementChange['result']]>([
    [{ state: 'none' }, { handoffFile: { state: 'not_expected' } }],
    [{ state: 'none' }, { handoffFile: { state: 'deleted_unread', why: 'it failed' } }],
    [{ state: 'absent' }, { handoffFile: { state: 'absent' } }],
    [
      { state: 'unreadable', error: 'EACCES' },
      { handoffFile: { state: 'unreadable', error: 'EACCES' } },
    ],
    [
      { state: 'valid', recommendedTier: 2, services: ['web'] },
      { handoffFile: { state: 'read', content: JSON.stringify(FILE) } },
    ],
    [
      { state: 'invalid', error: expect.any(String) },
      { handoffFile: { state: 'read', content: JSON.stringify({ ...FILE, schema_version: 2 }) } },
    ],
  ])('[HND-1.2] judge a handoff file: %j', (verdict, result) => {
    expect(input({ result }).input.handoffFile).toEqual(verdict);
  });

  it('hold the checks of all attempts, oldest first', () => {
    const check = (service: string) =>
      ({
        kind: 'check_result',
        service,
        type: 'http',
        target: '',
        status: 'down',
        error: '',
        responseTimeMs: null,
      }) as const;
    const { checks } = input({ earlierChecks: [check('api')], events: [check('web')] }).input;
    expect(checks.map(({ service }) => service)).toEqual(['api', 'web']);
  });

  it('hold no report that is malformed', () => {
    const wrong = { ok: false, error: 'The agent submitted no report.' } as const;
    const made = escalationInput(settlementFacts(), wrong, [], SETTLED_AT);
    expect(made.input.report).toBeNull();
  });
});

describe('the policy of an escalation is the stricter of what was frozen and what is live', () => {
  it.each([
    [3, 3, 3],
    [1, 3, 1],
    [3, 2, 2],
  ] as const)('frozen up to tier %i, live up to tier %i: %i', (frozen, live, maxTier) => {
    const change = { frozen: { maxTier: frozen }, live: { maxTier: live } };
    expect(input(change).policy.maxTier).toBe(maxTier);
  });

  it('a tier is enabled where both enable it', () => {
    const [first, second, third] = CONFIG.tiers;
    const tiers: ProjectConfig['tiers'] = [first, { ...second, isEnabled: false }, third];
    expect(input().policy.enabledTiers).toEqual([1, 2, 3]);
    expect(input({ frozen: { tiers } }).policy.enabledTiers).toEqual([1, 3]);
    expect(input({ live: { tiers } }).policy.enabledTiers).toEqual([1, 3]);
  });

  it.each<[SettlementChange, object]>([
    [{}, { project: false, installation: false, chain: false }],
    [{ frozen: { dryRun: true } }, { project: true, installation: false, chain: false }],
    [{ live: { dryRun: true } }, { project: true, installation: false, chain: false }],
    [{ isDryRunForced: true }, { project: false, installation: true, chain: false }],
    [{ chain: { isDryRun: true } }, { project: false, installation: false, chain: true }],
  ])('[HND-3.7] %j is a dry run by %j', (change, dryRun) => {
    expect(input(change).policy.dryRun).toEqual(dryRun);
  });
});
