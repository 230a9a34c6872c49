import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { Demo, signInToDemo } from './support/demo';
import { refreshDuring } from './support/refresh';
import { expectNoViolationsInBothThemes } from './support/violations';

const MINUTE = 60_000;

/** Until no hour begins for a while: with a new one, every column of a plot moves by one place. */
async function keepClearOfTheHour(page: Page): Promise<void> {
  const left = 60 * MINUTE - (Date.now() % (60 * MINUTE));
  if (left < MINUTE) await page.waitForTimeout(left + 1_000);
}

/** Until a cycle of the demo project has ended and booked what it used. */
async function waitForCost(page: Page, organization: string): Promise<void> {
  await expect(async () => {
    await page.goto(`${organization}/projects/checkout/spend?range=90d&by=tier`);
    await expect(page.getByRole('table', { name: 'Spend by tier' })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 90_000 });
}

// A chain of its own: the schedule's next one may be minutes away.
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  const demo = await Demo.open(page);
  await demo.run();
  await waitForCost(page, `/${demo.organization}`);
  await page.close();
});

function plot(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true });
}

test('[SAS-4.1] a plot is read as a picture and as a table, and each column leads to its rows', async ({
  page,
}) => {
  const organization = `/${await signInToDemo(page)}`;
  await page.goto(`${organization}/projects/checkout?range=24h`);
  const outcomes = plot(page, 'Chains by outcome');
  await expect(outcomes.getByText(/chains? in the last 24 hours: /)).toBeVisible();
  await expect(outcomes.locator('svg.recharts-surface')).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  await test.step('one stop of Tab; arrows move, the figures follow', async () => {
    const columns = outcomes.getByRole('list', { name: /^Chains by outcome/ }).getByRole('link');
    await expect(columns).toHaveCount(24);
    await columns.last().focus();
    await expect(columns.last()).toHaveAccessibleName(/so far: /);
    await page.keyboard.press('ArrowLeft');
    await expect(columns.nth(22)).toBeFocused();
    await page.keyboard.press('Home');
    await expect(columns.first()).toBeFocused();
    await expect(columns.first()).toHaveAttribute('tabindex', '0');
  });

  await test.step('the table has the same figures, and the address keeps it', async () => {
    await outcomes.getByText('Table', { exact: true }).click();
    const table = outcomes.getByRole('table', { name: 'Chains by outcome' });
    await expect(table.getByRole('row')).toHaveCount(25);
    await expect(page).toHaveURL(/[?&]table=outcomes/);
    await page.reload();
    await expect(table).toBeVisible();
    await expectNoViolationsInBothThemes(page);
  });

  await test.step('a refresh keeps the place on the page, and a view that was chosen since', async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const place = await page.evaluate(() => window.scrollY);
    expect(place).toBeGreaterThan(0);
    for (const form of ['Chart', 'Table']) {
      await refreshDuring(page, () => outcomes.getByText(form, { exact: true }).click());
      await page.evaluate((top) => window.scrollTo(0, top), place);
      // The second starts once the first is drawn.
      for (const _ of [1, 2]) await refreshDuring(page, async () => {});
      await expect(page).toHaveURL(
        form === 'Table' ? /[?&]table=outcomes/ : /^[^?]*(\?range=24h)?$/,
      );
      expect(await page.evaluate(() => window.scrollY)).toBe(place);
    }
  });

  await test.step('a range keeps the table, and a row leads to its chains', async () => {
    await page.getByRole('navigation', { name: 'Range' }).getByText('7 d').click();
    const table = outcomes.getByRole('table', { name: 'Chains by outcome' });
    await expect(table.getByRole('row')).toHaveCount(8);
    await table.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/chains\?from=.*&to=/);
    await expect(page.getByRole('list', { name: 'Further filters' })).toContainText('Started');
    await expect(page.getByRole('table', { name: 'Chains' }).getByRole('row').nth(1)).toBeVisible();
  });
});

test('[SAS-4.1] a span of time is dragged over a plot, chosen by keys, or typed, and counts for all plots', async ({
  page,
}) => {
  const organization = `/${await signInToDemo(page)}`;
  await keepClearOfTheHour(page);
  const dashboard = `${organization}/projects/checkout?range=24h`;
  await page.goto(dashboard);
  const columnsOf = (title: string) =>
    plot(page, title)
      .getByRole('list', { name: new RegExp(`^${title}`) })
      .getByRole('link');
  const columns = columnsOf('Chains by outcome');
  await expect(columns).toHaveCount(24);
  await expect(
    plot(page, 'Chains by outcome').locator('svg.recharts-surface'),
    'the page is alive',
  ).toBeVisible();
  const selection = plot(page, 'Chains by outcome').getByRole('status');

  async function drag(from: number, to: number): Promise<void> {
    await columns.nth(from).scrollIntoViewIfNeeded();
    const [start, end] = [
      await columns.nth(from).boundingBox(),
      await columns.nth(to).boundingBox(),
    ];
    if (!start || !end) throw new Error('The columns are not drawn.');
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
    // Both ends are named, so the last move has arrived.
    const names = await Promise.all(
      [from, to].map(async (index) =>
        ((await columns.nth(index).getAttribute('aria-label')) ?? '').replace(
          /(, so far)?:.*$/,
          '',
        ),
      ),
    );
    for (const name of names) await expect(selection).toContainText(name);
  }

  await test.step('Escape cancels, and the end of the drag opens nothing', async () => {
    await drag(20, 22);
    await page.keyboard.press('Escape');
    await expect(selection).toBeEmpty();
    await page.mouse.up();
    await expect(page).toHaveURL(dashboard);
  });

  await test.step('what was dragged over is the span of every plot, and back undoes it', async () => {
    await drag(23, 20);
    await page.mouse.up();
    await expect(page).toHaveURL(/\?from=.*&to=/);
    await expect(columns).toHaveCount(4);
    await expect(columnsOf('Cost by tier')).toHaveCount(4);
    await expect(page.getByText(/chains? in the span from /)).toBeVisible();
    const { searchParams } = new URL(page.url());
    const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    expect((to ?? 0) - (from ?? 0)).toBe(4 * 3_600_000);
    await expectNoViolationsInBothThemes(page);
    await page.goBack();
    await expect(columns).toHaveCount(24);
    await expect(page).toHaveURL(dashboard);
  });

  await test.step('a press on one column is still a click on it', async () => {
    // The oldest hour is empty: no piece of a bar lies over it.
    await columns.first().click();
    await expect(page).toHaveURL(/\/chains\?from=.*&to=/);
    await page.goBack();
    await expect(columns).toHaveCount(24);
  });

  await test.step('arrows with Shift select, Enter chooses', async () => {
    await columns.last().focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(selection).toContainText('Enter shows this range');
    await page.keyboard.press('Escape');
    await expect(selection).toBeEmpty();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/checkout\?from=.*&to=/);
    await expect(columns).toHaveCount(2);
  });

  await test.step('it is typed instead', async () => {
    await page.goto(`${organization}/analytics`);
    await page.getByRole('button', { name: 'Custom range', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Custom range' });
    await form.getByLabel('From', { exact: true }).fill('2020-01-03T00:00');
    await form.getByLabel('To', { exact: true }).fill('2020-01-02T00:00');
    await form.getByRole('button', { name: 'Show range' }).click();
    await expect(form.getByText('From must be before To.')).toBeVisible();
    await form.getByLabel('To', { exact: true }).fill('2020-01-06T00:00');
    await form.getByRole('button', { name: 'Show range' }).click();
    await expect(page).toHaveURL(/from=2020-01-0\d.*&to=2020-01-0\d/);
    await expect(plot(page, 'Chains by outcome')).toContainText('No chains in this range.');
  });
});

test('[SAS-4.1] analytics shows all plots, and says so where there is nothing to draw', async ({
  page,
}) => {
  const organization = `/${await signInToDemo(page)}`;
  await page.goto(`${organization}/analytics?range=24h`);
  for (const title of [
    ...['Chains by outcome', 'Cost by tier', 'Escalation rate', 'Resume or handoff'],
  ]) {
    await expect(plot(page, title)).toBeVisible();
  }
  await expect(plot(page, 'Escalation rate').locator('svg.recharts-surface')).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv).toContain('Chains by outcome\r\nwhen,');
  expect(csv).toContain('Resume or handoff\r\nwhen,');
});

test('[SAS-4.1] what was spent is the sum of its rows, down to a session, and as CSV', async ({
  page,
}) => {
  const organization = `/${await signInToDemo(page)}`;
  await waitForCost(page, organization);
  const table = page.getByRole('table', { name: 'Spend by tier' });
  await expectNoViolationsInBothThemes(page);

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  const costs = lines.map((line) => Number(line.split(',').at(-2)));
  const rows = costs.slice(1, -1).filter((cost) => !Number.isNaN(cost));
  expect(rows.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(costs.at(-1) ?? 0, 6);

  // What was asked has a row of its own, which may be the first.
  await table.getByRole('link', { name: /^Tier 1/ }).click();
  await expect(page).toHaveURL(/by=session/);
  await page.getByRole('table', { name: 'Spend by session' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/sessions\/\d+\/ledger$/);
});

test('[SAS-4.3] a service is snoozed on its page, with a reason, and woken again', async ({
  page,
}) => {
  const organization = `/${await signInToDemo(page)}`;
  await page.goto(`${organization}/projects/checkout/services/web`);
  await expect(page.getByRole('table', { name: 'Checks' })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  await page.getByRole('button', { name: 'Snooze for another time' }).click();
  await page.getByRole('menuitem', { name: 'For another time…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('For', { exact: true }).fill('2 fortnights');
  await dialog.getByRole('button', { name: 'Snooze web' }).click();
  await expect(dialog).toContainText('Enter a time, such as 20m or 1h 30m.');
  await dialog.getByLabel('For', { exact: true }).fill('90m');
  await dialog.getByLabel('Reason').fill('moving the disk');
  await dialog.getByRole('button', { name: 'Snooze web' }).click();
  await expect(page.getByText(/Snoozed by .*: moving the disk/)).toBeVisible();
  await page.getByRole('button', { name: 'End the snooze' }).click();
  await expect(page.getByRole('button', { name: 'Snooze 20 min' })).toBeVisible();
});
