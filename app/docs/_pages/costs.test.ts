/** The figures of docs/plan-costs.md, computed from the price table of Claude Code. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLAUDE_PRICES } from '@/lib/agents/claude/prices';
import { estimateCost } from '@/lib/agents/prices';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';

const page = readFileSync('docs/plan-costs.md', 'utf8');

/** Tokens that each request adds: 1,500 of output and results, 300 of the answer. */
const ADDED = 1_800;
const ANSWER = 300;

/**
 * Sums the requests of one process. Each request reads what was sent before from the cache, and
 * writes what is new.
 *
 * @param firstTokens of the first request
 */
function costOf(model: string, firstTokens: number, requests: number): number {
  return Array.from({ length: requests }, (_, index) =>
    estimateCost(CLAUDE_PRICES, model, {
      inputTokens: 0,
      cacheWriteTokens: index === 0 ? firstTokens : ADDED,
      cacheReadTokens: index === 0 ? 0 : firstTokens + (index - 1) * ADDED,
      outputTokens: ANSWER,
    }),
  ).reduce((sum, cost) => sum + cost, 0);
}

const whole = (usd: number) => `$${Math.round(usd).toLocaleString('en')}`;

it.each([
  ['`claude-haiku-5`', 'claude-haiku-5'],
  ['`claude-haiku` (earlier)', 'claude-haiku-4'],
  ['`claude-sonnet-5-5`', 'claude-sonnet-5-5'],
  ['`claude-sonnet` (earlier)', 'claude-sonnet-4'],
  ['`claude-opus-5`', 'claude-opus-5'],
  ['`claude-opus` (earlier)', 'claude-opus-4'],
])('[PAG-3.2] the cost guide states what %s costs', (shown, model) => {
  const chain = costOf(model, 18_000, 6);
  const row = [
    shown,
    `$${chain.toFixed(3)}`,
    `$${(chain * 144).toFixed(2)}`,
    whole(chain * 144 * 30),
    whole(chain * 24 * 30),
  ];
  expect(page).toContain(`| ${row.join(' | ')} |`);
});

it('[PAG-3.2] the cost guide states what an incident adds, and the defaults', () => {
  expect(page).toContain(`about $${costOf('claude-sonnet-5-5', 30_000, 10).toFixed(2)}`);
  expect(page).toContain(`about $${costOf('claude-opus-5', 48_000, 15).toFixed(2)}`);
  const [one, two, three] = DEFAULT_CONFIG.tiers.map(({ maxBudgetUsd }) => `$${maxBudgetUsd}`);
  expect(page).toContain(`${one}, ${two} and ${three} for tiers 1, 2 and 3`);
  const { chainUsd, dayUsd, monthUsd } = DEFAULT_CONFIG.budgets;
  for (const amount of [chainUsd, dayUsd, monthUsd]) expect(page).toContain(`| $${amount} |`);
  expect(page).toContain(CLAUDE_PRICES.measuredOn);
});
