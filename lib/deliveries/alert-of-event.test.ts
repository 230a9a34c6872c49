import { expect, it } from 'vitest';
import { CHECKOUT_DOWN } from '@/tests/support/signals/alerts';
import { alertSubjectSchema, isSuperseding } from './alert';
import { alertOf } from './alert-of-event';
import type { ChainSummary, WebhookEvent } from './schema';

const AT = '2026-11-24T14:00:00.000Z';
const summary: ChainSummary = {
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  project: { id: 'prj_1', slug: 'checkout', name: 'Checkout' },
  summary: 'Chain #2 of Checkout needs a human.',
  link: 'https://ops.example/acme/projects/checkout/chains/2',
  chain: {
    id: 'chn_1',
    number: 2,
    trigger: 'manual',
    outcome: 'needs_human',
    reason: 'MAX_TIER',
    explanation: 'Tier 2 is needed.',
    highestTier: 1,
    isDryRun: false,
    startedAt: null,
    endedAt: AT,
  },
  sessions: [],
  totalCostUsd: 0,
  servicesAffected: ['web'],
};
const ended = (chain: Partial<ChainSummary['chain']> = {}): WebhookEvent => ({
  type: 'chain.completed',
  timestamp: AT,
  data: { ...summary, chain: { ...summary.chain, ...chain } },
});

it('[INC-2.2] a chain that needs a human is an alert', () => {
  const alert = alertOf(ended());
  expect(alert).toEqual({
    dedupKey: 'tierwatch/chn_1',
    sequence: 1,
    status: 'firing',
    severity: 'critical',
    title: 'Checkout: Chain #2 needs a human',
    description: 'Chain #2 of Checkout needs a human.\nTier 2 is needed.',
    project: { name: 'Checkout', slug: 'checkout' },
    services: ['web'],
    startedAt: AT,
    resolvedAt: null,
    url: summary.link,
    needsHuman: true,
  });
  expect(alertSubjectSchema.safeParse(alert).success).toBe(true);
});

it.each(['healthy', 'fixed', 'failed', 'lost', 'findings'] as const)(
  '[INC-2.2] a chain that ended as %s is a notice',
  (outcome) => {
    expect(alertOf(ended({ outcome }))).toBeNull();
  },
);

it('[INC-2.2] the alert that an event carries comes before its own', () => {
  expect(alertOf({ ...ended(), alert: CHECKOUT_DOWN })).toBe(CHECKOUT_DOWN);
  const offline = { type: 'runner.offline', alert: CHECKOUT_DOWN } as unknown as WebhookEvent;
  expect(alertOf(offline)).toBe(CHECKOUT_DOWN);
});

it.each([
  ['firing', true],
  ['resolved', true],
  ['acknowledged', false],
] as const)('[INC-2.2] a state that is %s supersedes earlier ones: %s', (status, expected) => {
  expect(isSuperseding({ status })).toBe(expected);
});
