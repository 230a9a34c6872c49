import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { type ReceivedRequest, verifyReceived } from '../../support/webhook-receiver/receiver';
import { PASSWORD } from '../support/new-organization';
import { test } from './cast';

/** Processes start, and a chain of two tiers runs. */
const CHAIN_MS = 60_000;
const BOTH_TYPES = ['chain.completed', 'chain.escalated'];

async function save(page: Page, version: number): Promise<void> {
  await page.getByRole('button', { name: `Save as v${version}` }).click();
  await expect(
    page.getByText(`v${version} is the current version. You have no changes.`),
  ).toBeVisible();
}

async function allow(page: Page, rule: string): Promise<void> {
  const field = page.getByLabel(/^Allowed rules/);
  await field.fill(rule);
  await field.press('Enter');
  await expect(page.getByText(rule, { exact: true }).first()).toBeVisible();
}

const typeOf = ({ rawBody }: ReceivedRequest): string => JSON.parse(rawBody.toString()).type;

test('[SAS-1.2] [SAS-2.1] [SAS-3.1] [SAS-4.2] [SAS-5.1] a new user builds a team, a project and a runner, and follows a chain from its fault to its webhook', async ({
  page,
  bo,
  mail,
  host,
  receiver,
}) => {
  const tag = randomBytes(5).toString('hex');
  const name = `Acme ${tag}`;
  await test.step('Ana signs up', async () => {
    await page.goto('/sign-up');
    await page.getByLabel('Your name').fill('Ana Ruiz');
    await page.getByLabel('E-mail').fill(`ana-${tag}@example.com`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Organization').fill(name);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  });
  const home = new URL(page.url()).pathname;
  const project = `${home}/projects/checkout`;
  const nav = page.getByRole('navigation', { name: 'Main' });

  await test.step('she invites Bo, who joins by the link in his mail', async () => {
    const email = `bo-${tag}@example.com`;
    await nav.getByRole('link', { name: 'Organization settings' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Members/ })
      .click();
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByRole('radio', { name: 'Operator' }).check();
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await expect(page.getByText(`The invitation is on its way to ${email}.`)).toBeVisible();
    const link = () =>
      /http\S+\/invite\/inv_\w+/.exec(
        mail.received.find(({ to }) => to.includes(email))?.source ?? '',
      )?.[0] ?? '';
    await expect.poll(link).not.toBe('');
    await bo.goto(link());
    await bo.getByLabel('Your name').fill('Bo Lind');
    await bo.getByLabel('Password').fill(PASSWORD);
    await bo.getByRole('button', { name: `Join ${name} as operator` }).click();
    await expect(bo.getByRole('heading', { level: 1, name })).toBeVisible();
    // Her page updates automatically.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('row', { name: /Bo Lind/ })).toBeVisible();
    // A page that is left open is drawn again with everything that happens.
    await bo.goto('about:blank');
  });

  await test.step('she sets up a project, whose first chain waits for a runner', async () => {
    await nav.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'New project' }).first().click();
    await page.getByLabel('Project', { exact: true }).fill('Checkout');
    await page.getByLabel('First service').fill(host.urls.web);
    await page.getByLabel('Name').fill('web');
    await page.getByText('By schedule only', { exact: true }).click();
    await page.getByText('Manual', { exact: true }).click();
    await page.getByRole('button', { name: 'Start first chain' }).click();
    await expect(page).toHaveURL(`${project}/chains/1`);
    await expect(page.getByText('Waiting for a runner: pool default has none.')).toBeVisible();
  });

  await test.step('she connects a runner; the dialog says so, and the chain ends', async () => {
    await nav.getByRole('link', { name: 'Runners' }).click();
    await page.getByRole('button', { name: 'Add runner' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add runner' });
    await dialog.getByRole('button', { name: 'Show the command' }).click();
    await dialog.getByText('Checkout', { exact: true }).click();
    const command = await dialog.locator('pre', { hasText: 'runner start' }).textContent();
    await expect(dialog.getByText('Waiting for the runner.')).toBeVisible();
    host.run(command?.trim() ?? '');
    await expect(dialog.getByText(/Connected: shop-1/)).toBeVisible({ timeout: CHAIN_MS });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.goto(`${project}/chains/1`);
    await expect(page.getByText('Healthy').first()).toBeVisible({ timeout: CHAIN_MS });
  });

  await test.step('a second service, which the runner tries; tier 2, which hands off', async () => {
    await page.goto(`${project}/settings/services`);
    await page.getByRole('button', { name: 'Add a service' }).click();
    await page.getByLabel('Name', { exact: true }).nth(1).fill('api');
    await page.getByLabel('URL').nth(1).fill(host.urls.api);
    await page.getByRole('button', { name: 'Test now' }).nth(1).click();
    await expect(page.getByText(/Checked by shop-1/)).toBeVisible();
    await save(page, 2);
    await page.goto(`${project}/settings/tiers?tier=2`);
    await allow(page, 'Bash(democtl restart:*)');
    await page.getByRole('switch', { name: /Tier 2 · Safe remediation/ }).click();
    await page.getByRole('button', { name: 'Switch on tier 2' }).click();
    await page.getByRole('button', { name: 'Save as v3' }).click();
    await expect(page.getByRole('region', { name: 'Over the last 30 days' })).toContainText(
      'tier 2',
    );
    await save(page, 3);
    await page.goto(`${project}/settings/thresholds`);
    await page.getByRole('radio', { name: 'Handoff' }).first().check({ force: true });
    await save(page, 4);
  });

  const secret = await test.step('a webhook endpoint of everything about chains', async () => {
    await nav.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByLabel('chain.escalated').check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const shown = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Open the endpoint' }).click();
    await expect(page.getByText('No deliveries yet.')).toBeVisible();
    return shown;
  });

  await test.step('a service breaks; the next chain escalates and fixes it', async () => {
    await host.breakWeb();
    await page.goto(project);
    await page.getByRole('button', { name: 'Run now', exact: true }).click();
    await expect(page).toHaveURL(`${project}/chains/2`);
    await expect(page.getByText('Fixed').first()).toBeVisible({ timeout: CHAIN_MS });
  });

  await test.step('why tier 2 started by handoff: on the chain, and guard by guard', async () => {
    const hop = page.getByRole('region', { name: 'From Session #2 to Session #3' });
    await expect(hop).toContainText('Handoff');
    await expect(hop).toContainText('This project hands off at this step.');
    await expect(hop).toContainText('web');
    await hop.getByRole('link', { name: 'All checks' }).click();
    await expect(page).toHaveURL(`${project}/sessions/3/decision`);
    await expect(page.getByText('RESUME_DISABLED')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Guards, in evaluation order' })).toBeVisible();
    await page.getByRole('link', { name: 'Handoff', exact: true }).click();
    await expect(page.getByText('Session #3 was started from this handoff.')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Check results' })).toContainText('web');
  });

  await test.step('what it cost: by tier on the chain, and the same in the ledger', async () => {
    await page.getByRole('link', { name: 'Chain #2' }).click();
    const cost = page.getByRole('table', { name: 'Cost by tier, from the ledger' });
    const total = await cost.getByRole('row').last().getByRole('cell').last().textContent();
    expect(total).toMatch(/^\$0\.\d+$/);
    await page.goto(`${project}/spend?by=session`);
    const spend = page.getByRole('table', { name: 'Spend by session' });
    await expect(spend.getByRole('row').filter({ hasText: '#3' })).toContainText('$');
  });

  await test.step('the receiver verifies what it was sent', async () => {
    await expect.poll(() => receiver.received.map(typeOf).sort()).toEqual(BOTH_TYPES);
    for (const request of receiver.received) verifyReceived(request, secret);
    const summary = receiver.received.find((request) => typeOf(request) === 'chain.completed');
    expect(summary && verifyReceived(summary, secret)).toMatchObject({
      data: { chain: { number: 2, outcome: 'fixed' } },
    });
  });

  await test.step('she rotates the secret and replays the summary, which both secrets sign', async () => {
    await page.goto(`${project}/chains/2`);
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await expect(deliveries.getByRole('listitem')).toHaveCount(BOTH_TYPES.length);
    await deliveries
      .getByRole('listitem')
      .filter({ hasText: 'chain.completed' })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'More for this endpoint' }).click();
    await page.getByRole('menuitem', { name: 'Rotate secret…' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'New signing secret' });
    const rotated = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    const delivery = page.getByRole('region', { name: 'Delivery' });
    await delivery.getByRole('button', { name: 'Replay' }).click();
    await expect.poll(() => receiver.received.length).toBe(3);
    await expect(delivery.getByRole('heading', { name: 'Attempts 2' })).toBeVisible();
    const replayed = receiver.received[2];
    const first = receiver.received.find((request) => typeOf(request) === 'chain.completed');
    if (!replayed || !first) throw new Error('It was not replayed.');
    expect(rotated).not.toBe(secret);
    expect(verifyReceived(replayed, rotated)).toEqual(verifyReceived(replayed, secret));
    expect(replayed.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(() => verifyReceived(first, rotated)).toThrow();
  });

  await test.step('she removes Bo, whose open page is refused by itself from then on', async () => {
    await page.goto(`${home}/settings/members`);
    await page.getByRole('button', { name: 'More for Bo Lind' }).click();
    await page.getByRole('menuitem', { name: /Remove/ }).click();
    await bo.goto(project);
    await expect(bo.getByText('Live')).toBeVisible();
    await page.getByRole('button', { name: 'Remove Bo Lind' }).click();
    await expect(page.getByText('1 person, 1 owner.')).toBeVisible();
    const refused = bo.getByRole('heading', { name: 'There is nothing here' });
    // At the latest when a page asks again what it may show, every 30 s.
    await expect(refused).toBeVisible({ timeout: CHAIN_MS });
    await bo.goto(`${home}/runners`);
    await expect(refused).toBeVisible();
    await page.goto(`${project}/chains`);
    await expect(page.getByRole('table', { name: 'Chains' }).getByRole('row')).toHaveCount(3);
  });
});
