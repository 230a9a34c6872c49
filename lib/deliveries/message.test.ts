import { expect, it } from 'vitest';
import { messageOf } from './message';
import type { ChainSummary } from './schema';

const AT = '2026-11-24T14:00:00.000Z';
const project = { id: 'prj_1', slug: 'checkout', name: 'Checkout' };
const summary: ChainSummary = {
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  project,
  summary: 'Checkout #2 needs a human.',
  link: 'https://ops.example/acme/projects/checkout/chains/2',
  chain: {
    id: 'chn_1',
    number: 2,
    trigger: 'manual',
    outcome: 'needs_human',
    reason: 'MAX_TIER',
    explanation: 'Tier 2 is needed but the maximum for Checkout is tier 1.',
    highestTier: 1,
    isDryRun: false,
    startedAt: AT,
    endedAt: AT,
  },
  sessions: [],
  totalCostUsd: 0,
  servicesAffected: ['web'],
};
const linesFor = (chain: Partial<ChainSummary['chain']>) =>
  messageOf({
    type: 'chain.needs_human',
    timestamp: AT,
    data: { ...summary, chain: { ...summary.chain, ...chain } },
  }).lines;

it('[PAG-2.2] says where to turn on the tier that the settings kept from acting', () => {
  expect(linesFor({})).toEqual([
    'Checkout #2 needs a human.',
    'Tier 2 is needed but the maximum for Checkout is tier 1.',
    'Services: web.',
    'Turn on tier 2 (needs the admin role): https://ops.example/acme/projects/checkout/settings/tiers?tier=2&switch=on',
  ]);
  expect(linesFor({ reason: 'COOLDOWN' })).toHaveLength(3);
});

it.each([
  ['healthy', 'Checkout: Chain #2 ended healthy'],
  ['findings', 'Checkout: Chain #2 ended with findings, no action taken'],
  ['fixed', 'Checkout: Chain #2 reported a fix'],
  ['suppressed', 'Checkout: Chain #2 suppressed an escalation'],
  ['needs_human', 'Checkout: Chain #2 needs a human'],
  ['failed', 'Checkout: Chain #2 failed'],
  ['lost', 'Checkout: Chain #2 was lost'],
  ['stopped', 'Checkout: Chain #2 was stopped'],
  ['skipped', 'Checkout: Chain #2 was skipped'],
] as const)('the title of a chain with the outcome %s is a sentence', (outcome, title) => {
  const data = { ...summary, chain: { ...summary.chain, outcome } };
  expect(messageOf({ type: 'chain.completed', timestamp: AT, data }).title).toBe(title);
});
