/** One chain of three tiers, run once for all the specs that look at it from different sides. */

import { type BrowserContext, test as base, expect } from '@playwright/test';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { Demo } from './demo';
import { HeldCheck } from './held-check';

export { expect };

export const TIER_NAMES = [
  'Tier 1 · Observe',
  'Tier 2 · Safe remediation',
  'Tier 3 · Full remediation',
];

export const usd = (amount: number) => formatCost(microsOf(amount));

export interface Story {
  /** Signed in to the demo organization. */
  context: BrowserContext;
  demo: Demo;
  chain: ChainDetail;
  /** In the order of their tiers, as the REST API tells them. */
  sessions: SessionDetail[];
  /** Of the session with this place in the chain, from 0. */
  sessionPath(index: number, tab?: string): string;
}

/** Breaks the demo's configuration, which only tier 3 can fix. */
async function tellStory(context: BrowserContext): Promise<Story> {
  const demo = await Demo.open(await context.newPage());
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
  return { context, demo, chain, sessions, sessionPath };
}

export const test = base.extend<{ heldCheck: HeldCheck }, { story: Story }>({
  /** A page of its own for each test: the width and the theme of one are not those of the next. */
  page: async ({ story }, use) => {
    const page = await story.context.newPage();
    await use(page);
    await page.close();
  },
  heldCheck: async ({ story }, use) => {
    const check = await HeldCheck.addTo(story.demo);
    await use(check);
    await check.remove();
  },
  story: [
    async ({ browser }, use) => {
      const context = await browser.newContext();
      await use(await tellStory(context));
      await context.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});
