/** docs/troubleshooting.md quotes what the product says, so its quotations come from the code. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { claudeAgent } from '@/lib/agents/claude/claude-agent';
import { budgetClause, budgetRemedy } from '@/lib/engine/budget';
import { resumeSentence } from '@/lib/engine/continuation/reasons';
import { cooldownSentence } from '@/lib/engine/cooldowns/state';
import { escalationSentence } from '@/lib/engine/escalation/reasons';
import { type WaitingRunner, waitSentence } from '@/lib/engine/sweep/wait-sentence';
import { checkTarget } from '@/lib/platform/outbound-http/target-policy';

const page = readFileSync('docs/troubleshooting.md', 'utf8').replaceAll(/\s+/g, ' ');

const runner: WaitingRunner = {
  pool: 'eu',
  name: 'eu-1',
  status: 'online',
  allowedTiers: [1],
  slots: 4,
  slotsInUse: 4,
  lastSeenAt: null,
};
const now = new Date('2026-11-24T12:00:00Z');
const waits = (change: Partial<WaitingRunner>, tier = 1) =>
  waitSentence('eu', tier, [{ ...runner, ...change }], now);

const shop = {
  tier: 1,
  nextTier: 2,
  maxTier: 1,
  project: 'Shop',
  services: ['web'],
  detail: '',
} as const;

const cooldown = cooldownSentence({
  service: 'web',
  action: 'restart',
  used: 2,
  limit: 2,
  windowSeconds: 14_400,
  nextAllowedAt: new Date('2026-11-24T16:40:00Z'),
});

const resume = {
  tier: 3,
  parentSession: '#19',
  parentTier: 2,
  runner: 'eu-1',
  parentCliSessionId: 'f1647ee4-0000-4000-8000-000000000000',
  usedTokens: null,
  windowTokens: 200_000,
  threshold: 0.8,
  denial: null,
};

const day = { scope: 'day', spentMicros: 10_000_000, limitMicros: 10_000_000 } as const;

const refusalOf = (url: string) => {
  const check = checkTarget(url, { allowPrivate: false });
  return check.ok ? '' : check.message;
};

/** The beginning of a sentence, up to where the manual's example leaves out what differs. */
const start = (sentence: string) => sentence.split('. ')[0] ?? sentence;

it.each([
  ['no runner in the pool', waitSentence('eu', 1, [], now)],
  ['none online', start(waits({ status: 'offline', lastSeenAt: '2026-11-24T11:48:00Z' }))],
  [
    'last contact',
    waits({ status: 'offline', lastSeenAt: '2026-11-24T11:48:00Z' })
      .split('online. ')[1]
      ?.split(' Start')[0] ?? '',
  ],
  ['no runner for the tier', start(waits({}, 2))],
  ['drained', start(waits({ status: 'draining' }))],
  ['busy', start(waits({}))],
  ['maximum tier', escalationSentence('MAX_TIER', shop)],
  ['cooldown', escalationSentence('COOLDOWN', { ...shop, detail: cooldown })],
  ['unresolved', escalationSentence('NOT_RESOLVED', { ...shop, tier: 2 })],
  ['tier 3 unresolved', start(escalationSentence('TIER3_UNRESOLVED', shop))],
  ['resume rejected', resumeSentence('RESUME_REJECTED', resume)],
  ['budget', `${budgetClause('Shop', day)}. ${budgetRemedy(day)}`],
  ['untested version', claudeAgent.program.untestedVersion('2.1.400') ?? ''],
  ['private address', refusalOf('https://10.0.0.5/')],
  ['plain http', refusalOf('http://hooks.example.com/')],
])('[PAG-3.2] troubleshooting quotes the sentence for: %s', (_, sentence) => {
  expect(sentence.length).toBeGreaterThan(20);
  expect(page).toContain(sentence);
});
