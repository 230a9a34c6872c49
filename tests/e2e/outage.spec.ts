import { expect, type Page, test } from '@playwright/test';
import { Demo } from './support/demo';
import { expectNoViolationsInBothThemes } from './support/violations';

// Four chains of the demo agent.
test.describe.configure({ timeout: 360_000 });

async function crash(page: Page, root: string): Promise<void> {
  await page.goto(root);
  await page.getByRole('button', { name: 'Break it' }).click();
  await page.getByRole('menuitem', { name: /Crash a service/ }).click();
  await expect(page.getByText(/The next chain repairs it/)).toBeVisible();
}

test('[PAG-1.2] a service that is down needs attention after a dry run and while paused, until a tier has repaired it', async ({
  page,
}) => {
  const demo = await Demo.open(page);
  const home = `/${demo.organization}`;
  const project = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Checkout$/ });
  const sentence = page.getByText(/^1 of 1 project needs attention\. Checkout: /);
  let since: string | undefined;

  await test.step('home says so from the first failed check on, although the chain was suppressed', async () => {
    // Whatever another spec left broken is repaired first, so that the outage begins here.
    await demo.repair();
    await demo.configure({ dryRun: true });
    await crash(page, demo.root);
    const first = await demo.run();
    expect(first.outcome).toBe('suppressed');
    await page.goto(home);
    await expect(sentence).toContainText(/has been down since \d\d:\d\d/);
    await expect(sentence).toContainText(`Chain #${first.number} did not escalate`);
    await expect(page.getByText(/nothing needs attention/i)).toHaveCount(0);
    since = /since \d\d:\d\d/.exec((await sentence.textContent()) ?? '')?.[0];
    const { number } = await demo.run();
    await page.goto(home);
    await expect(sentence).toContainText(String(since));
    const list = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Needs attention' }) });
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await expect(list).toContainText('2 chains since it began');
    await expect(list.getByRole('link', { name: `Open Chain #${number}` })).toBeVisible();
    await expectNoViolationsInBothThemes(page);
  });

  await test.step('the tab says so as well', async () => {
    await expect(page).toHaveTitle(/^1 down · /);
    const icon = page.locator('link[rel="icon"]').last();
    await expect(icon).toHaveAttribute('href', /^data:image\/svg\+xml,/);
    await page.goto(demo.root);
    await expect(page).toHaveTitle('Down · Checkout · Tierwatch');
    await expect(page.locator('header').getByText(String(since))).toBeVisible();
  });

  await test.step('a pause stands beside it and hides nothing', async () => {
    await page.getByRole('button', { name: 'More for Checkout' }).click();
    await page.getByRole('menuitem', { name: 'Pause Checkout…' }).click();
    await page.getByRole('button', { name: 'Pause Checkout', exact: true }).click();
    const header = page.getByRole('main').locator('header').first();
    await expect(header.getByText('Paused', { exact: true })).toBeVisible();
    await expect(header.getByText(/^Down \d/)).toBeVisible();
    await expect(project.getByRole('img', { name: 'Down' })).toBeVisible();
    await page.goto(home);
    await expect(sentence).toContainText('so no chain starts and nothing is checked');
    await page.goto(demo.root);
    await page.getByRole('button', { name: 'Resume' }).first().click();
    await expect(header.getByText('Paused', { exact: true })).toHaveCount(0);
  });

  await test.step('a repair is marked in the strip, and the mark of the tab is gone', async () => {
    await demo.configure({ dryRun: false });
    const repaired = await demo.run();
    expect(repaired.outcome).toBe('fixed');
    await page.goto(demo.root);
    await expect(page.getByText(/; Incident #\d+ is being verified\./)).toBeVisible();
    await expect(page).toHaveTitle('Checkout · Tierwatch');
    await expect(page.locator('link[rel="icon"][href^="data:"]')).toHaveCount(0);
    await expect(project.getByRole('img', { name: 'Active' })).toBeVisible();
    const cell = page.getByRole('link', {
      name: new RegExp(`^Chain #${repaired.number}: Down, repaired by tier 2, `),
    });
    await expect(cell.locator('[data-repaired]')).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    const service = page
      .getByRole('listitem')
      .filter({ has: cell })
      .getByRole('link', { name: /^\w+$/ });
    await service.click();
    const uptime = page.getByRole('table', { name: 'Uptime and latency' });
    await expect(uptime).toContainText(/down in \d+ of \d+ chains, repaired in \d+/i);
    await expect(uptime.getByRole('row').nth(1)).toContainText(/\d+ms/);
    await expectNoViolationsInBothThemes(page);
  });
});
