/** How a host is connected and its runner updated, as an admin does it on the pages. */
import { type APIRequestContext, expect, test } from '@playwright/test';
import { RUNNER_VERSION } from '@/lib/protocol/schema';
import { foundOrganization } from './support/new-organization';
import { expectNoViolations } from './support/violations';

const OLDER = 'a'.repeat(64);

function capabilities(program: object) {
  return {
    runnerVersion: RUNNER_VERSION,
    canTestChecks: true,
    hostname: 'edge-host',
    platform: 'linux-x64',
    user: 'ops',
    isRoot: false,
    containment: 'marker',
    slots: 1,
    program,
    harnesses: [
      { name: 'demo', version: 'demo-1', fingerprint: 'd', isUsable: true, problem: null },
    ],
  };
}

/** What a runner's program sends, without the program. */
async function joined(request: APIRequestContext, token: string, name: string) {
  const enrolled = await request.post('/api/runner/v1/enrol', {
    data: { protocol: 1, token, name },
  });
  expect(enrolled.status()).toBe(201);
  const { key } = await enrolled.json();
  const post = async (path: string, data: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await request.post(`/api/runner/v1/${path}`, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  return {
    beat: (program: object) =>
      post('heartbeat', { protocol: 1, posture: capabilities(program), running: [] }),
    fail: (reason: string) => post('update-failed', { sha256: '', reason }),
  };
}

test('[FLT-5.1] [FLT-5.2] a host is connected with one line, and its runner is updated', async ({
  page,
  request,
}) => {
  const { home } = await foundOrganization(page);
  await page.goto(`${home}/runners`);
  await page.getByRole('button', { name: 'Add runner' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add runner' });
  await dialog.getByRole('button', { name: 'Show the command' }).click();
  const line = dialog.locator('pre');
  await expect(line).toContainText(/^node -e .* node tierwatch-runner\.mjs start --url \S+$/);
  await dialog.getByText('systemd service', { exact: true }).click();
  await expect(line).toContainText(/--service$/);
  await dialog.getByText('Checkout', { exact: true }).click();
  await expect(line).toContainText(/^npm run tierwatch -- runner start/);
  await dialog.getByText('In a terminal', { exact: true }).click();
  await expectNoViolations(page);

  const command = (await line.textContent()) ?? '';
  const sha256 = /"([0-9a-f]{64})"/.exec(command)?.[1] ?? '';
  const told = await (await request.get('/runner.mjs.sha256')).text();
  expect(told).toBe(`${sha256}  runner.mjs\n`);
  const token = /TIERWATCH_ENROLLMENT_TOKEN=(\S+)/.exec(command)?.[1] ?? '';
  const runner = await joined(request, token, 'edge');
  await runner.beat({ kind: 'file', sha256: OLDER });
  await expect(dialog.getByText(/Connected: edge/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await test.step('from the list, and why an update failed', async () => {
    await page.getByRole('button', { name: 'Update all' }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Update 1 runner' });
    await confirm.getByRole('button', { name: 'Update all' }).click();
    await expect(page.getByRole('row', { name: /edge/ })).toContainText('update waits');
    await runner.beat({ kind: 'file', sha256: OLDER });
    await expect(page.getByRole('row', { name: /edge/ })).toContainText('updating');
    await runner.fail('The new version exited before it was online (exit code 3).');
    await expect(page.getByRole('row', { name: /edge/ })).toContainText('update failed');
    await expect(page.getByText(/continues with its previous version\. The new/)).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('from its page', async () => {
    await page.getByRole('row', { name: /edge/ }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByRole('button', { name: 'Update edge' }).click();
    await expect(page.getByText('An update is requested.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel update' })).toBeVisible();
    await expectNoViolations(page);
    await runner.beat({ kind: 'file', sha256 });
    await expect(page.getByText('Up to date.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Update', exact: true })).toHaveCount(0);
  });

  await test.step('a checkout is not, and its page says why', async () => {
    await runner.beat({ kind: 'checkout', sha256: null });
    await page.reload();
    await expect(
      page.getByText(/Can’t be updated from here\. It runs from a checkout/),
    ).toBeVisible();
  });
});
