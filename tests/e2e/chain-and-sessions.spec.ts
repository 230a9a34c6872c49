import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import type { ChainDetail } from '@/lib/chains/view/schema';
import { formatCost } from '@/lib/format/cost';
import { formatTurns } from '@/lib/format/count';
import { formatDuration } from '@/lib/format/duration';
import { formatContextUse, formatTokens, formatTokensExact } from '@/lib/format/tokens';
import type { SessionDetail } from '@/lib/sessions/schema';
import { microsOf } from '@/lib/usage/micros';
import { Demo } from './support/demo';

const TIER_NAMES = ['Tier 1 · Observe', 'Tier 2 · Safe remediation', 'Tier 3 · Full remediation'];
const STATUS_WORDS = ['Escalated', 'Escalated', 'Completed'];

let page: Page;
let demo: Demo;
let chain: ChainDetail;
/** In the order of their tiers, as the REST API tells them. */
let sessions: SessionDetail[];

const usd = (amount: number) => formatCost(microsOf(amount));

function sessionPath(index: number, tab = ''): string {
  return `${demo.root}/sessions/${sessions[index]?.number}${tab}`;
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  page = await (await browser.newContext()).newPage();
  demo = await Demo.open(page);
  await demo.configure({ maxTier: 3 });
  await demo.break();
  chain = await demo.run();
  sessions = await Promise.all(chain.sessions.map(({ id }) => demo.session(id)));
  expect(sessions.map(({ tier, mechanism }) => [tier, mechanism])).toEqual([
    [1, 'fresh'],
    [2, 'resume'],
    [3, 'resume'],
  ]);
});

test.afterAll(async () => {
  await page.context().close();
});

test('[RES-4.2] every session page shows the whole chain: tier, model, cost, duration, status', async () => {
  const total = sessions.reduce((sum, session) => sum + microsOf(session.costUsd), 0);
  expect(microsOf(chain.totalCostUsd)).toBe(total);
  for (const [current, own] of sessions.entries()) {
    await page.goto(sessionPath(current));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`#${own.number}`);
    const members = page
      .getByRole('navigation', { name: `Chain #${chain.number}` })
      .getByRole('listitem');
    await expect(members).toHaveCount(3);
    for (const [index, session] of sessions.entries()) {
      const member = members.nth(index);
      await expect(member).toContainText(`#${session.number}`);
      await expect(member.getByText(TIER_NAMES[index] ?? '')).toBeAttached();
      await expect(member).toContainText(session.model);
      await expect(member).toContainText(usd(session.costUsd));
      await expect(member).toContainText(formatDuration(session.durationMs));
      await expect(member).toContainText(STATUS_WORDS[index] ?? '');
      await expect(member.locator('[aria-current=page]')).toHaveCount(index === current ? 1 : 0);
    }
    await page.goto(sessionPath(current, '/ledger'));
    await expect(page.getByText(`Session ${usd(own.costUsd)}`)).toBeVisible();
    const toChain = page.getByRole('link', { name: `Chain #${chain.number} ${formatCost(total)}` });
    await expect(toChain).toHaveAttribute('href', `${demo.root}/chains/${chain.number}#cost`);
  }
});

test('[HND-7.1] a session links to the one it came from and to the one it led to', async () => {
  const [first, second, third] = sessions;
  await page.goto(sessionPath(1));
  await page
    .getByRole('link', { name: `Escalated from Session #${first?.number} (Tier 1)` })
    .click();
  await expect(page).toHaveURL(sessionPath(0));
  await expect(page.getByRole('link', { name: /^Escalated from/ })).toHaveCount(0);
  await page
    .getByRole('link', { name: `Escalated to Session #${second?.number} (Tier 2)` })
    .click();
  await expect(page).toHaveURL(sessionPath(1));
  await page.getByRole('link', { name: `Escalated to Session #${third?.number} (Tier 3)` }).click();
  await expect(page).toHaveURL(sessionPath(2));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`#${third?.number}`);
  await expect(page.getByRole('link', { name: /^Escalated to/ })).toHaveCount(0);
});

test('[HND-7.2] the sessions list ties a chain together; its root shows its own cost and the chain’s', async () => {
  await page.goto(`${demo.root}/sessions`);
  const row = (index: number) =>
    page.getByRole('row').filter({ hasText: new RegExp(`^#${sessions[index]?.number}(?!\\d)`) });
  const marks = ['first of its chain', 'of the same chain', 'newest of its chain'];
  for (const [index, session] of sessions.entries()) {
    await expect(row(index).getByRole('img', { name: marks[index], exact: true })).toBeVisible();
    const cells = row(index).getByRole('cell');
    await expect(cells.nth(-2)).toHaveText(usd(session.costUsd));
    const ofChain = index === 0 ? `#${chain.number}${usd(chain.totalCostUsd)}` : '';
    await expect(cells.last()).toHaveText(ofChain);
  }
  await row(0)
    .getByRole('link', { name: `#${chain.number}`, exact: true })
    .last()
    .click();
  await expect(page).toHaveURL(`${demo.root}/chains/${chain.number}`);
});

test('[HND-7.3] [RES-5.2] the chain page shows cost, turns and duration per tier, and their sums', async () => {
  await page.goto(`${demo.root}/chains/${chain.number}`);
  const rows = page.getByRole('table', { name: 'Cost by tier, from the ledger' }).getByRole('row');
  for (const [index, session] of sessions.entries()) {
    await expect(rows.nth(index)).toContainText(TIER_NAMES[index] ?? '');
    const cells = rows.nth(index).getByRole('cell');
    await expect(cells.first()).toContainText(formatDuration(session.durationMs));
    await expect(cells.first()).toContainText(formatTurns(session.turns));
    await expect(cells.last()).toHaveText(usd(session.costUsd));
  }
  const total = rows.last().getByRole('cell');
  const sum = (of: (session: SessionDetail) => number) =>
    sessions.reduce((all, session) => all + of(session), 0);
  await expect(total.first()).toContainText(formatDuration(sum((one) => one.durationMs ?? 0)));
  await expect(total.first()).toContainText(formatTurns(sum((one) => one.turns)));
  await expect(total.last()).toHaveText(formatCost(sum((one) => microsOf(one.costUsd))));

  await test.step('each lane leads to its session', async () => {
    const lanes = page.getByRole('list', { name: 'Sessions by tier over time' }).getByRole('link');
    await expect(lanes).toHaveCount(3);
    await lanes.nth(0).focus();
    await page.keyboard.press('ArrowRight');
    await expect(lanes.nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(sessionPath(1));
  });
});

test('[RES-8.4] the threshold in force is an event of the session; all tokens stand beside the context use', async () => {
  for (const index of [1, 2]) {
    const context = sessions[index]?.decision?.context;
    const used = context?.usedTokens ?? null;
    const cumulative = context?.cumulativeTokens ?? null;
    expect(used).toBeGreaterThan(0);
    expect(cumulative).toBeGreaterThan(used ?? 0);
    const inUse = `${formatTokensExact(used)} of 200,000 tokens`;
    await page.goto(sessionPath(index));
    await expect(page.getByRole('log')).toContainText(
      `Resume limit in force: 80% (set for the project). In use: ${inUse}.`,
    );
    const inAll = `${formatTokens(cumulative)} tokens in all requests`;
    await expect(
      page.getByText(`resumed at ${formatContextUse(used, 200_000)}, ${inAll}`),
    ).toBeVisible();
    await page.goto(sessionPath(index, '/decision'));
    const line = page.getByRole('paragraph').filter({ hasText: /^Context \d/ });
    await expect(line).toContainText(`Context ${formatContextUse(used, 200_000)}`);
    await expect(line).toContainText(`${inAll} · limit 80% (set for the project)`);
  }
});

test('[SAS-4.2] report, command, prompt, decision and handoff of a session are each on a tab', async () => {
  const [first, second] = sessions;
  const attempt = second?.attempts.at(-1);
  await page.goto(sessionPath(1));
  const tabs = page.getByRole('navigation', { name: `Session #${second?.number}` });

  await test.step('report', async () => {
    await tabs.getByRole('link', { name: 'Report' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/report'));
    await expect(page.getByRole('heading', { name: 'Findings' })).toBeVisible();
    await expect(page.getByText('The agent asked for a higher tier.')).toBeVisible();
    await expect(page.getByText('democtl restart', { exact: false }).first()).toBeVisible();
    await page.getByText('As handed in').click();
    await expect(page.getByText('"actions_taken"')).toBeVisible();
  });

  await test.step('command, prompt and tools', async () => {
    await tabs.getByRole('link', { name: 'Command' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/command'));
    const command = page.locator('pre', { hasText: '--output-format stream-json' });
    await expect(command).toContainText(`--resume ${first?.cliSessionId}`);
    await expect(command).toContainText('--fork-session');
    const shown = ((await command.textContent()) ?? '').replace(/\s+/g, ' ');
    for (const part of attempt?.argv?.filter((one) => /^--[a-z-]+$/.test(one)) ?? []) {
      expect(shown).toContain(part);
    }
    const start = (attempt?.prompt ?? '').split('\n')[0] ?? '';
    expect(start).toContain('You are now tier 2');
    await expect(page.locator('pre', { hasText: start })).toBeVisible();
    const rule = page.getByRole('listitem').filter({ hasText: 'Bash(democtl restart:*)' });
    await expect(rule).toBeVisible();
    await expect(page.getByRole('term').filter({ hasText: 'CLAUDEOPS_STATE_DIR' })).toBeVisible();
  });

  await test.step('decision with every guard', async () => {
    await tabs.getByRole('link', { name: 'Decision' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/decision'));
    const guards = second?.decision?.guards ?? [];
    expect(guards.length).toBeGreaterThan(10);
    const rows = page.getByRole('table', { name: /^Guards/ }).getByRole('row');
    await expect(rows).toHaveCount(guards.length + 1);
    await expect(rows.filter({ hasText: 'Passed' })).toHaveCount(guards.length);
    await expect(page.getByText(second?.decision?.reason ?? '', { exact: true })).toBeVisible();
  });

  await test.step('handoff, though it was not needed', async () => {
    await tabs.getByRole('link', { name: 'Handoff' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/handoff'));
    const card = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    const received = card(`From session #${first?.number} (tier 1)`);
    const given = card('To tier 3');
    await expect(received.getByRole('table', { name: 'Check results' })).toContainText('Down');
    await expect(given).toContainText('This handoff was kept in case that failed.');
    await expect(given.getByRole('heading', { name: 'Tried so far' })).toBeVisible();
  });

  await test.step('ledger: the rows make the sum', async () => {
    await tabs.getByRole('link', { name: 'Ledger' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/ledger'));
    const values = page
      .getByRole('table', { name: 'Ledger', exact: true })
      .locator('td:last-child data');
    const micros = await values.evaluateAll((cells) =>
      cells.map((cell) => Math.round(Number(cell.getAttribute('value')) * 1_000_000)),
    );
    expect(micros).toHaveLength(second?.ledger.length ?? -1);
    expect(micros.reduce((sum, one) => sum + one, 0)).toBe(microsOf(second?.costUsd ?? -1));
  });

  await test.step('back leads to the tab before', async () => {
    await page.goBack();
    await expect(page).toHaveURL(sessionPath(1, '/handoff'));
  });
});

test('[HND-6.2] a chain that its limit broke off is an event in the feed, linked to its last session', async () => {
  await demo.configure({ maxTier: 2 });
  try {
    await demo.break();
    const stopped = await demo.run();
    expect(stopped).toMatchObject({ outcome: 'needs_human', highestTier: 2 });
    const last = stopped.sessions.at(-1);
    await page.goto(`${demo.root}/events`);
    const event = page.getByRole('listitem').filter({
      has: page.getByRole('link', { name: `Session #${last?.number} (Tier 2)` }),
      hasText: 'Tier 3 is needed but the maximum',
    });
    await expect(event).toHaveCount(1);
    await event.getByRole('link', { name: /^Session/ }).click();
    await expect(page).toHaveURL(`${demo.root}/sessions/${last?.number}`);
    await expect(page.getByRole('log')).toContainText('Tier 3 is needed but the maximum');
  } finally {
    await demo.configure({ maxTier: 3 });
    // Mends what the chain was not allowed to.
    expect(await demo.run()).toMatchObject({ outcome: 'fixed' });
  }
});

test('filters are in the address: they survive a reload, and can be cleared', async () => {
  await page.goto(`${demo.root}/sessions`);
  const tier = page.getByRole('combobox', { name: 'Tier' });
  await tier.selectOption({ label: 'Tier 3 · Full remediation' });
  await expect(page).toHaveURL(/\?tier=3$/);
  const numbers = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await expect(numbers.filter({ hasText: 'Tier 3 · Full remediation' }).first()).toBeVisible();
  await expect(numbers.filter({ hasText: 'Tier 1 · Observe' })).toHaveCount(0);
  await page.reload();
  await expect(tier).toHaveValue('3');
  await expect(numbers.filter({ hasText: 'Tier 1 · Observe' })).toHaveCount(0);

  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Lost' });
  await expect(page.getByText('No sessions match these filters.')).toBeVisible();
  await expect(page).toHaveURL(/tier=3&status=lost/);
  await page.goBack();
  await expect(numbers.filter({ hasText: 'Tier 3 · Full remediation' }).first()).toBeVisible();
  await page.goForward();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${demo.root}/sessions`);
  await expect(numbers.filter({ hasText: 'Tier 1 · Observe' }).first()).toBeVisible();

  await page.goto(`${demo.root}/chains?outcome=lost`);
  await expect(page.getByText('No chains match these filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('table', { name: 'Chains' })).toContainText(`#${chain.number}`);
});

test('an address that is nobody’s is 404, and a cursor that is none is left out', async () => {
  for (const path of ['sessions/999999999', 'sessions/x', 'chains/999999999', 'chains/0x1']) {
    const response = await page.goto(`${demo.root}/${path}`);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  }
  await page.goto(`${demo.root}/sessions?before=nonsense&runner=nonsense`);
  await expect(page.getByRole('table', { name: 'Sessions' })).toContainText(`#${chain.number}`);
});

test('of several notices the worst is shown, and the others at a click', async () => {
  await demo.configure({ dryRun: true });
  try {
    await page.goto(demo.root);
    const isDryRun = page.getByText('Checkout is in dry run: tier 1 observes');
    const isDemo = page.getByText('Demo agent, no model: a small program');
    await expect(isDryRun).toBeVisible();
    await expect(isDemo).toBeHidden();
    await page.getByRole('button', { name: '+1: show all notices' }).click();
    await expect(isDemo).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole('button', { name: 'Less: show one notice' }).click();
    await expect(isDemo).toBeHidden();
  } finally {
    await demo.configure({ dryRun: false });
  }
});

for (const width of [1440, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no page of a chain has an accessibility violation, ${colorScheme} at ${width} px`, async () => {
      test.setTimeout(600_000);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const tabs = ['', '/report', '/handoff', '/command', '/decision', '/ledger'];
      const paths = [
        `${demo.root}/chains`,
        `${demo.root}/chains/${chain.number}`,
        `${demo.root}/sessions`,
        ...tabs.map((tab) => sessionPath(1, tab)),
        `/${demo.organization}/chains`,
        `/${demo.organization}/sessions`,
      ];
      for (const path of paths) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
        await expect(page).toHaveTitle(/Tierwatch$/);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations, path).toEqual([]);
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(sideways, `${path} scrolls sideways`).toBe(0);
      }
    });
  }
}
