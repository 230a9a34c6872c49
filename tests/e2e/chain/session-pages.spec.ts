import type { Page } from '@playwright/test';
import { shellQuote } from '@/app/_components/ui/code-block';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatContextUse, formatTokens, formatTokensExact } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { expect, TIER_NAMES, test, usd } from '../support/story';
import { expectNoViolations } from '../support/violations';

const STATUS_WORDS = ['Escalated', 'Escalated', 'Completed'];

test('[RES-4.2] every session page shows the whole chain: tier, model, cost, duration, status', async ({
  page,
  story,
}) => {
  const { demo, chain, sessions, sessionPath } = story;
  const total = sessions.reduce((sum, session) => sum + microsOf(session.costUsd), 0);
  expect(microsOf(chain.totalCostUsd)).toBe(total);
  for (const [current, own] of sessions.entries()) {
    await page.goto(sessionPath(current, '/ledger'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Session #${own.number}`);
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
    await expect(page.getByText(`Session ${usd(own.costUsd)}`)).toBeVisible();
    const toChain = page.getByRole('link', { name: `Chain #${chain.number} ${formatCost(total)}` });
    await expect(toChain).toHaveAttribute('href', `${demo.root}/chains/${chain.number}#cost`);
  }
});

test('[HND-7.1] a session links to the one it came from and to the one it led to', async ({
  page,
  story,
}) => {
  const { demo, chain, sessions, sessionPath } = story;
  const [first, second, third] = sessions;
  await page.goto(sessionPath(1));
  await page
    .getByRole('link', { name: `Escalated from Session #${first?.number} (Tier 1)` })
    .click();
  await expect(page).toHaveURL(sessionPath(0));
  await expect(page.getByRole('link', { name: /^Escalated from/ })).toHaveCount(0);
  const log = page.getByRole('region', { name: `Log of Session #${first?.number}` });
  await expect(log).toContainText(`Tier 2 continued in Session #${second?.number}.`);
  const next = log.getByRole('link', { name: `Session #${second?.number}`, exact: true });
  await expect(next).toHaveAttribute('href', sessionPath(1));
  const toChain = log.getByRole('link', { name: `Open Chain #${chain.number}` });
  await expect(toChain).toHaveAttribute('href', `${demo.root}/chains/${chain.number}`);
  await page
    .getByRole('link', { name: `Escalated to Session #${second?.number} (Tier 2)` })
    .click();
  await expect(page).toHaveURL(sessionPath(1));
  await page.getByRole('link', { name: `Escalated to Session #${third?.number} (Tier 3)` }).click();
  await expect(page).toHaveURL(sessionPath(2));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Session #${third?.number}`);
  await expect(page.getByRole('link', { name: /^Escalated to/ })).toHaveCount(0);
});

test('[HND-7.2] the sessions list ties a chain together; its root shows its own cost and the chain’s', async ({
  page,
  story,
}) => {
  const { demo, chain, sessions } = story;
  await page.goto(`${demo.root}/sessions`);
  const row = (index: number) =>
    page
      .getByRole('row')
      .filter({ hasText: new RegExp(`^Session #${sessions[index]?.number}(?!\\d)`) });
  const marks = ['first of its chain', 'of the same chain', 'newest of its chain'];
  for (const [index, session] of sessions.entries()) {
    await expect(row(index).getByRole('img', { name: marks[index], exact: true })).toBeVisible();
    const cells = row(index).getByRole('cell');
    await expect(cells.nth(-2)).toHaveText(usd(session.costUsd));
    const ofChain = index === 0 ? `Chain #${chain.number}${usd(chain.totalCostUsd)}` : '';
    await expect(cells.last()).toHaveText(ofChain);
  }
  await test.step('two that are selected open side by side', async () => {
    const [first, second] = [sessions[0]?.number, sessions[1]?.number];
    for (const number of [first, second])
      await page.getByLabel(`Select Session #${number}`, { exact: true }).check();
    await page.getByRole('button', { name: 'Open two side by side' }).click();
    for (const number of [first, second]) {
      const column = page.getByRole('region', { name: `Session #${number}`, exact: true });
      await expect(column.getByRole('heading', { name: 'Summary' })).toBeVisible();
    }
    await page.goto(`${demo.root}/compare?a=${first}&b=${second}`);
    await expect(page).toHaveURL(new RegExp(`${demo.root}/sessions`));
  });
  await row(0)
    .getByRole('link', { name: `Chain #${chain.number}`, exact: true })
    .last()
    .click();
  await expect(page).toHaveURL(`${demo.root}/chains/${chain.number}`);
});

test('[RES-8.4] the resume limit is an event of the session; all tokens stand beside the context use', async ({
  page,
  story,
}) => {
  const { sessions, sessionPath } = story;
  for (const index of [1, 2]) {
    const context = sessions[index]?.decision?.context;
    const used = context?.usedTokens ?? null;
    const cumulative = context?.cumulativeTokens ?? null;
    expect(used).toBeGreaterThan(0);
    expect(cumulative).toBeGreaterThan(used ?? 0);
    const inUse = `${formatTokensExact(used)} of 200,000 tokens`;
    await page.goto(sessionPath(index));
    await expect(page.getByRole('log')).toContainText(
      `Resume limit: 80% (set for the project). In use: ${inUse}.`,
    );
    const inAll = `${formatTokens(cumulative)} tokens in all requests`;
    const start = page.getByText(`resumed at ${formatContextUse(used, 200_000)}, ${inAll}`);
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await expect(start).toBeVisible();
    await page.getByRole('link', { name: 'Decision', exact: true }).click();
    await expect(page).toHaveURL(sessionPath(index, '/decision'));
    await expect(start).toBeVisible();
    const line = page.getByRole('paragraph').filter({ hasText: /^Context \d/ });
    await expect(line).toContainText(`Context ${formatContextUse(used, 200_000)}`);
    await expect(line).toContainText(`${inAll} · limit 80% (set for the project)`);
  }
});

test('[SAS-4.2] report, command, prompt, decision and handoff of a session are each on a tab', async ({
  page,
  story,
}) => {
  const { sessions, sessionPath } = story;
  const [first, second] = sessions;
  const attempt = second?.attempts.at(-1);
  await page.goto(sessionPath(1));
  const tabs = page.getByRole('navigation', { name: `Session #${second?.number}` });

  await test.step('report', async () => {
    await tabs.getByRole('link', { name: 'Report' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/report'));
    await expect(page.getByRole('heading', { name: 'Findings' })).toBeVisible();
    await expect(page.getByText('The agent requested a higher tier.')).toBeVisible();
    await expect(page.getByText('democtl restart', { exact: false }).first()).toBeVisible();
    await page.getByText('Raw report (JSON)').click();
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
    // Long values are folded, and copied all the same.
    await expect(command).not.toContainText('services_checked');
    await command.getByRole('button', { name: /^schema, \d.* kB, Show$/ }).click();
    await expect(command).toContainText('services_checked');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy command' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe((attempt?.argv ?? []).map(shellQuote).join(' '));
    const start = (attempt?.prompt ?? '').split('\n')[0] ?? '';
    expect(start).toContain('You are now tier 2');
    await expect(page.locator('pre', { hasText: start })).toBeVisible();
    const rule = page.getByRole('listitem').filter({ hasText: 'Bash(democtl restart web)' });
    await expect(rule).toBeVisible();
    await expect(page.getByRole('term').filter({ hasText: 'CLAUDEOPS_STATE_DIR' })).toBeVisible();
  });

  await test.step('decision with every guard', async () => {
    await tabs.getByRole('link', { name: 'Decision' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/decision'));
    const guards = second?.decision?.guards ?? [];
    expect(guards.length).toBeGreaterThan(10);
    const rows = page.getByRole('table', { name: 'Guards, in evaluation order' }).getByRole('row');
    await expect(rows).toHaveCount(guards.length + 1);
    const passed = guards.filter(({ state }) => state === 'passed');
    await expect(rows.filter({ hasText: 'Passed' })).toHaveCount(passed.length);
    // The runner compared these before it started the process; no limit of cost is set.
    const states = new Map(guards.map(({ id, state }) => [id, state]));
    expect(['R1', 'R2', 'G22'].map((id) => states.get(id))).toEqual([
      ...['passed', 'passed', 'not_checked'],
    ]);
    await expect(page.getByText(second?.decision?.reason ?? '', { exact: true })).toBeVisible();
    await expect(rows.filter({ hasText: 'these two models: ' })).toHaveCount(1);
    await expect(page.getByText(/\b(edge|wait left|holds fence|same inode): /)).toHaveCount(0);
  });

  await test.step('handoff, though it was not needed', async () => {
    await tabs.getByRole('link', { name: 'Handoff' }).click();
    await expect(page).toHaveURL(sessionPath(1, '/handoff'));
    const card = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    const received = card(`From Session #${first?.number} (tier 1)`);
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

/** How many places of the log are painted as matches: of all rows but the selected one, and of that. */
function paintedMatches(page: Page): Promise<[number, number]> {
  return page.evaluate(() => [
    CSS.highlights.get('log-match')?.size ?? 0,
    CSS.highlights.get('log-match-current')?.size ?? 0,
  ]);
}

function windowOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
}

test('[SAS-4.2] the log fills the window, which does not scroll beside it', async ({
  page,
  story,
}) => {
  const { chain, sessions, sessionPath } = story;
  await page.goto(sessionPath(1));
  const log = page.getByRole('region', { name: `Log of Session #${sessions[1]?.number}` });
  const chainStrip = page.getByRole('navigation', { name: `Chain #${chain.number}` });
  const heightOf = async () => (await log.boundingBox())?.height ?? 0;

  await test.step('on a large screen it has three quarters of it', async () => {
    await expect.poll(heightOf).toBeGreaterThan(0.75 * 900);
    expect(await windowOverflow(page)).toBe(0);
    await expect(chainStrip).toBeVisible();
  });

  await test.step('on a phone the header keeps badge and title, and the rest behind a button', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => windowOverflow(page)).toBe(0);
    await expect(chainStrip).toBeHidden();
    await expect(page.getByText('Escalated', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await expect(chainStrip).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('in a window that is too low for it, the page scrolls instead', async () => {
    await page.setViewportSize({ width: 640, height: 300 });
    await expect.poll(heightOf).toBeGreaterThan(200);
  });
});

test('[SAS-4.2] a report in the log reads as a report, and the address follows the selected row and opens there again', async ({
  page,
  story,
}) => {
  const { sessions, sessionPath } = story;
  await page.goto(sessionPath(1));
  const log = page.getByRole('log');
  const details = page.getByRole('complementary', { name: 'Selected call' });
  const row = log
    .locator('[data-seq]', { has: page.getByRole('button', { name: 'mcp tierwatch/check' }) })
    .first();
  const call = row.getByRole('button', { name: 'mcp tierwatch/check' });

  await test.step('no details before a call is selected', async () => {
    await expect(log).toContainText('Process ended');
    await expect(details).toBeHidden();
  });

  await test.step('JSON is only on the tab of the report', async () => {
    const report = log
      .locator('[data-seq]', { has: page.getByRole('button', { name: 'Report', exact: false }) })
      .last();
    await expect(report).toContainText(String(sessions[1]?.report?.summary));
    await expect(report.getByRole('list', { name: 'Services, as reported' })).toBeVisible();
    await expect(report).toContainText('Requested a higher tier for');
    await expect(log).not.toContainText('services_checked');
    const open = report.getByRole('link', { name: 'Open the report' });
    await expect(open).toHaveAttribute('href', sessionPath(1, '/report'));
  });

  let clicked = '';
  await test.step('a click selects a call and shows its details, Escape closes them', async () => {
    await call.click();
    clicked = (await row.getAttribute('data-seq')) ?? '';
    await expect(page).toHaveURL(`${sessionPath(1)}?event=${clicked}`);
    await expect(details).toContainText(`${clicked} of Session`);
    await expect(details).toContainText(/\d lines?/);
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    await expect(call).toBeFocused();
  });

  await test.step('a search paints the words and steps through the rows, and the address with it', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('restart');
    await expect.poll(async () => (await paintedMatches(page))[0]).toBeGreaterThan(1);
    await page.keyboard.press('Enter');
    const marked = () => new URL(page.url()).searchParams.get('event');
    await expect.poll(marked).not.toBe(clicked);
    const first = marked();
    await expect.poll(async () => (await paintedMatches(page))[1]).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await expect.poll(marked).not.toBe(first);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('restart');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(marked).toBe(first);
    await expect(page.getByRole('search').getByRole('status')).toHaveText(/^\d+ of \d+$/);
  });

  await test.step('the address opens the row that it names', async () => {
    const seq = new URL(page.url()).searchParams.get('event');
    await page.reload();
    await expect(page.locator(`[data-seq="${seq}"]`)).toBeFocused();
    await expect(page.locator(`[data-seq="${seq}"]`)).toBeInViewport();
    await expect.poll(async () => (await paintedMatches(page))[1]).toBeGreaterThan(0);
  });

  await test.step('the keyboard walks the rows, and says the whole time of the one it is on', async () => {
    const before = page.url();
    await page.keyboard.press('k');
    await expect.poll(() => page.url()).not.toBe(before);
    await expect(page.getByRole('tooltip')).toContainText(
      /^\w{3} \d+ \w{3} \d{4}, [\d:]{8} .*UTC$/,
    );
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tooltip')).toBeHidden();
  });
});

test('the tab of a session that is current is whole on a phone', async ({ page, story }) => {
  const { sessions, sessionPath } = story;
  await page.setViewportSize({ width: 390, height: 844 });
  const strip = page.getByRole('navigation', { name: `Session #${sessions[1]?.number}` });
  for (const tab of ['Ledger', 'Decision', 'Log']) {
    await page.goto(sessionPath(1, tab === 'Log' ? '' : `/${tab.toLowerCase()}`));
    const current = strip.getByRole('link', { name: tab, exact: true });
    await expect(current).toHaveAttribute('aria-current', 'page');
    await expect(async () => {
      const [frame, place] = await Promise.all([strip.boundingBox(), current.boundingBox()]);
      if (!frame || !place) throw new Error('The strip is not drawn.');
      expect(place.x).toBeGreaterThanOrEqual(frame.x - 1);
      expect(place.x + place.width).toBeLessThanOrEqual(frame.x + frame.width + 1);
    }).toPass();
  }
});
