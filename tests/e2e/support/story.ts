/** One chain of three tiers, run once for all the specs that look at it from different sides. */
import { test as base, expect, type Page } from '@playwright/test';
import type { ChainDetail } from '@/lib/chains/view/schema';
import { formatCost } from '@/lib/format/cost';
import type { SessionDetail } from '@/lib/sessions/schema';
import { microsOf } from '@/lib/usage/micros';
import { Demo } from './demo';

export { expect };

export const TIER_NAMES = [
  'Tier 1 · Observe',
  'Tier 2 · Safe remediation',
  'Tier 3 · Full remediation',
];

export const usd = (amount: number) => formatCost(microsOf(amount));

export interface Story {
  /** Signed in to the demo organization. */
  page: Page;
  demo: Demo;
  chain: ChainDetail;
  /** In the order of their tiers, as the REST API tells them. */
  sessions: SessionDetail[];
  /** Of the session with this place in the chain, from 0. */
  sessionPath(index: number, tab?: string): string;
}

/** Breaks the demo's configuration, which tier 3 alone can mend. */
async function tellStory(page: Page): Promise<Story> {
  const demo = await Demo.open(page);
  await demo.configure({ maxTier: 3 });
  await demo.break();
  const chain = await demo.run();
  const sessions = await Promise.all(chain.sessions.map(({ id }) => demo.session(id)));
  expect(sessions.map(({ tier, mechanism }) => [tier, mechanism])).toEqual([
    [1, 'fresh'],
    [2, 'resume'],
    [3, 'resume'],
  ]);
  const sessionPath = (index: number, tab = '') =>
    `${demo.root}/sessions/${sessions[index]?.number}${tab}`;
  return { page, demo, chain, sessions, sessionPath };
}

export const test = base.extend<object, { story: Story }>({
  story: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      await use(await tellStory(await context.newPage()));
      await context.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});
