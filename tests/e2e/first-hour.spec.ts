/** A new team’s first hour: the checklist, the first project, and the sample project on a runner of theirs. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { argsOfPrinted } from '../support/system/printed-command';
import { productProcess } from '../support/system/product-process';
import { Demo } from './support/demo';
import { foundOrganization } from './support/new-organization';
import { expectNoViolations } from './support/violations';

const CHAIN_MS = 60_000;

test('[PAG-2.2] a new team sees its next steps, and when a schedule starts chains', async ({
  page,
}) => {
  const { home } = await foundOrganization(page);
  await page.goto(home);
  await expect(page.getByText('No projects yet.')).toHaveCount(1);
  await expect(page.getByText('0 of 5 done')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load the sample project' })).toBeVisible();
  await expectNoViolations(page);

  await test.step('the next chains follow the schedule', async () => {
    await page.getByRole('link', { name: 'Run the first chain' }).click();
    await expect(page).toHaveURL(`${home}/projects/new`);
    await expect(page.getByText('Every 12h.', { exact: true })).toBeVisible();
    await page.getByText('Claude Code', { exact: true }).click();
    await page.getByText('Cron', { exact: true }).click();
    await page.getByLabel('Cron line').fill('0 9 * * 1-5');
    await expect(page.getByRole('cell', { name: /09:00/ })).toHaveCount(5);
  });

  await test.step('a template says what to enter, and how it is checked', async () => {
    await page.getByText('systemd unit', { exact: true }).click();
    await page.getByLabel('First service').fill('nginx.service');
    await expect(page.getByText('Watched by systemd unit.')).toBeVisible();
    await page.getByRole('button', { name: 'Test now' }).click();
    await expect(page.getByText(/Only a runner can check this/)).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('dismissed, it stays away', async () => {
    await page.goto(home);
    await page.getByRole('button', { name: 'Dismiss the checklist' }).click();
    await expect(page.getByText('0 of 5 done')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Get started')).toHaveCount(0);
  });
});

test('[PAG-2.2] [PAG-3.3] the sample project: broken, repaired and explained, led by the page alone', async ({
  page,
  browser,
}, { project }) => {
  // Its own schedule would repair the shared services now and then.
  const other = await browser.newContext();
  await Demo.open(await other.newPage());
  await other.close();

  const dir = mkdtempSync(path.join(tmpdir(), 'first-hour-'));
  const { home } = await foundOrganization(page);
  const root = `${home}/projects/sample-shop`;
  await page.goto(home);
  await page.getByRole('button', { name: 'Load the sample project' }).click();
  await expect(page).toHaveURL(root);
  await expect(page.getByText('1 of 5 done')).toBeVisible();

  await page.goto(`${root}/settings/schedule`);
  await page.getByText('Manual', { exact: true }).click();
  await page.getByRole('button', { name: 'Save as v2' }).click();
  await expect(page.getByText('v2 is the current version.')).toBeVisible();

  await page.goto(root);
  await page.getByRole('link', { name: 'Connect a runner' }).click();
  await page.getByRole('button', { name: 'Add runner' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add runner' });
  await dialog.getByRole('button', { name: 'Show the command' }).click();
  await dialog.getByText('Checkout', { exact: true }).click();
  const command = await dialog.locator('pre', { hasText: 'runner start' }).textContent();
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
    TIERWATCH_DEMO_BIN: path.join(String(project.metadata.dataDir), 'demo', 'bin'),
  };
  const args = [...argsOfPrinted(command?.trim() ?? ''), '--name', 'here'];
  const runner = productProcess({ name: 'runner', args, env }, path.join(dir, 'logs'));
  runner.start();
  try {
    await expect(dialog.getByText(/Connected: here/)).toBeVisible({ timeout: CHAIN_MS });
    await page.goto(root);
    await expect(page.getByText('2 of 5 done')).toBeVisible();
    await expectNoViolations(page);
    const guide = page.getByRole('region', { name: 'Demo' });
    await expect(guide).toContainText('press Break it, then Run now');

    await page.getByRole('button', { name: 'Break it' }).click();
    await page.getByRole('menuitem', { name: /Crash a service/ }).click();
    await expect(guide).toContainText('web is down now (ended by SIGKILL). Press Run now');
    await page.getByRole('button', { name: 'Run now', exact: true }).click();
    await expect(page).toHaveURL(`${root}/chains/1`);
    await page.goto(root);
    await expect(guide).toContainText('Tier 2 repaired it in Chain #1', { timeout: CHAIN_MS });
    await expect(guide).toContainText(/All tiers together cost \$0\.\d+ \(simulated\)/);
    await expect(page.getByText('3 of 5 done')).toBeVisible();

    await guide.getByRole('link', { name: 'ask why' }).click();
    await page.getByRole('button', { name: 'Why did you restart web?' }).click();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect(page.getByText('answered turn 1.')).toBeVisible({ timeout: CHAIN_MS });
    const answer = page.getByRole('article', { name: 'Turn 1', exact: true });
    await expect(answer).toContainText(
      /web was down when tier 1 checked it at [\d:]{8} UTC: its HTTP check failed \(connection refused\)/,
    );
    await expect(answer).toContainText(
      'A restart is the safe remediation for a process that has ended',
    );
    await expect(answer.getByRole('list')).toHaveCount(0);
  } finally {
    await runner.end();
    await rm(dir, { recursive: true, force: true });
  }
});
