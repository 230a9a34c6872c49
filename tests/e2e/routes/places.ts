import { expect, type Page } from '@playwright/test';
import type { MailServer } from '../../support/mail-server/mail-server';
import { foundOrganization } from '../support/new-organization';
import type { Story } from '../support/story';
import type { Places } from './visits';

interface Outside {
  mail: MailServer;
  /** Of a webhook's receiver. */
  receiverUrl: string;
}

/** Makes what a seeded organization lacks: an endpoint with a delivery, and letters with links. */
export async function makePlaces(page: Page, story: Story, outside: Outside): Promise<Places> {
  const organization = `/${story.demo.organization}`;
  const invited = `bo-${Date.now()}@example.com`;
  await page.goto(`${organization}/settings/members`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel('E-mail').fill(invited);
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await expect(page.getByText(`The invitation is on its way to ${invited}.`)).toBeVisible();

  await page.goto(`${organization}/webhooks`);
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(outside.receiverUrl);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByRole('button', { name: 'Open the endpoint' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(page.getByRole('region', { name: 'Delivery' }).getByText('Delivered')).toBeVisible();
  const endpoint = addressOf(page);

  await page.goto(`${organization}/runners`);
  await page.getByRole('table', { name: 'Runners' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/runners\/rnr_/);
  const runner = addressOf(page);
  return {
    organization,
    project: story.demo.root,
    chain: `${story.demo.root}/chains/${story.chain.number}`,
    session: story.sessionPath(1),
    runner,
    conversation: await askAbout(page, story),
    endpoint,
    approval: await requestApproval(page, story),
    incident: await makeIncident(page, story),
    invitation: await sentLink(outside.mail, invited, '/invite/'),
    reset: await askForReset(page, outside.mail),
  };
}

/** Asks about the chain and waits for the answer. */
async function askAbout(page: Page, { demo, chain }: Story): Promise<string> {
  await page.goto(`${demo.root}/ask?chain=${chain.number}`);
  await page.getByLabel(`Ask about Chain #${chain.number}`).fill('Why was web restarted?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page).toHaveURL(/\/ask\/cnv_/);
  await expect(page.getByText(/answered turn 1\.$/)).toBeVisible({ timeout: 60_000 });
  return addressOf(page);
}

/** Lets a chain wait until the start of tier 2 is approved, stops it, and has the demo repaired. */
async function requestApproval(page: Page, { demo }: Story): Promise<string> {
  await demo.configure({ tiers: [{ tier: 2, requiresApproval: true }] });
  await demo.break();
  await page.goto(`${demo.root}/chains/${await demo.runNow()}`);
  await page.getByRole('link', { name: 'Start of tier 2' }).click({ timeout: 90_000 });
  await expect(page).toHaveURL(/\/approvals\/apr_/);
  const approval = addressOf(page);
  await page.goBack();
  await page.getByRole('button', { name: /^Stop/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: /^Stop/ }).click();
  await expect(page.getByRole('main').getByText(/^Chain #\d+ ended:/)).toBeVisible();
  await demo.configure({ tiers: [{ tier: 2, requiresApproval: false }] });
  await demo.run();
  return approval;
}

/** Lets checks find an outage of the demo, resolves its incident, and has the demo repaired. */
async function makeIncident(page: Page, { demo }: Story): Promise<string> {
  await demo.configure({
    monitoring: { everySeconds: 30, failures: 1, lastResults: 1 },
    startOn: { checkChange: false },
  });
  await demo.break();
  await page.goto(`${demo.root}/incidents`);
  const incidents = page.getByRole('table', { name: 'Incidents' }).getByRole('link');
  await incidents.first().click({ timeout: 120_000 });
  await expect(page).toHaveURL(/\/incidents\/\d+$/);
  const incident = addressOf(page);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Resolve Incident/ })
    .click();
  await expect(page.getByRole('button', { name: 'Resolve' })).toHaveCount(0);
  await demo.configure({ monitoring: { everySeconds: null }, startOn: { checkChange: true } });
  await demo.run();
  return incident;
}

/** Of somebody new: one person can ask for a few letters an hour. */
async function askForReset(page: Page, mail: MailServer): Promise<string> {
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error('The browser is gone.');
  const other = await context.newPage();
  const { email } = await foundOrganization(other);
  await other.goto('/reset');
  await other.getByLabel('E-mail').fill(email);
  await other.getByRole('button', { name: /link/ }).click();
  const link = await sentLink(mail, email, '/reset/');
  await context.close();
  return link;
}

async function sentLink(mail: MailServer, email: string, kind: string): Promise<string> {
  await expect.poll(() => linkIn(mail, email, kind)).not.toBe('');
  return linkIn(mail, email, kind);
}

function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** The path of the newest link of this kind that was sent to them; empty while none was. */
function linkIn(mail: MailServer, email: string, kind: string): string {
  const letter = mail.received.findLast(({ to }) => to.includes(email));
  const link = letter?.source.match(/https?:\/\/\S+/g)?.find((url) => url.includes(kind));
  return link ? new URL(link).pathname : '';
}
