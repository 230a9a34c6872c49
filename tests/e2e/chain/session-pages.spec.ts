import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatContextUse, formatTokens, formatTokensExact } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { expect, TIER_NAMES, test, usd } from '../support/story';

const STATUS_WORDS = ['Escalated', 'Escalated', 'Completed'];

test('[RES-4.2] every session page shows the whole chain: tier, model, cost, duration, status', async ({
  page,
  story,
}) => {
  const { demo, chain, sessions, sessionPath } = story;
  const total = sessions.reduce((sum, session) => sum + microsOf(session.costUsd), 0);
  expect(microsOf(chain.totalCostUsd)).toBe(total);
  for (const [current, own] of sessions.entries()) {
    await page.goto(sessionPath(current));
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
    await page.goto(sessionPath(current, '/ledger'));
    await expect(page.getByText(`Session ${usd(own.costUsd)}`)).toBeVisible();
    const toChain = page.getByRole('link', { name: `Chain #${chain.number} ${formatCost(total)}` });
    await expect(toChain).toHaveAttribute('href', `${demo.root}/chains/${chain.number}#cost`);
  }
});

test('[HND-7.1] a session links to the one it came from and to the one it led to', async ({
  page,
  story,
}) => {
  const { sessions, sessionPath } = story;
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
    await expect(
      page.getByText(`resumed at ${formatContextUse(used, 200_000)}, ${inAll}`),
    ).toBeVisible();
    await page.goto(sessionPath(index, '/decision'));
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
    const rows = page.getByRole('table', { name: /^Checks/ }).getByRole('row');
    await expect(rows).toHaveCount(guards.length + 1);
    const passed = guards.filter(({ state }) => state === 'passed');
    await expect(rows.filter({ hasText: 'Passed' })).toHaveCount(passed.length);
    // The runner compared these before it started the process; no limit of cost is set.
    const states = new Map(guards.map(({ id, state }) => [id, state]));
    expect(['R1', 'R2', 'G22'].map((id) => states.get(id))).toEqual([
      ...['passed', 'passed', 'not_checked'],
    ]);
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
