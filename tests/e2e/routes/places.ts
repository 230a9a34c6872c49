import { expect, type Page } from '@playwright/test';
import type { MailServer } from '../../support/mail-server/mail-server';
import type { Demo } from '../support/demo';
import { foundOrganization } from '../support/new-organization';
import { openSignalSource } from '../support/signal-source';
import type { Story } from '../support/story';
import type { Places } from './visits';

const CHAIN_MS = 90_000;

interface Outside {
  mail: MailServer;
  /** Of a webhook's receiver. */
  receiverUrl: string;
}

/**
 * Makes what a seeded organization lacks: an endpoint with a delivery, letters with links, a
 * conversation, an approval and an incident. How a person makes them is the subject of other specs.
 */
export async function makePlaces(page: Page, story: Story, outside: Outside): Promise<Places> {
  const { demo, chain } = story;
  const organization = `/${demo.organization}`;
  const invited = `bo-${Date.now()}@example.com`;
  await demo.post('invitations', { email: invited, role: 'viewer' });
  const [runner] = (await demo.get('runners')).data;
  return {
    organization,
    project: demo.root,
    chain: `${demo.root}/chains/${chain.number}`,
    session: story.sessionPath(1),
    runner: `${organization}/runners/${runner.id}`,
    conversation: await askAbout(story),
    endpoint: await deliverTest(demo, outside.receiverUrl),
    approval: await requestApproval(demo),
    incident: await makeIncident(page, demo),
    invitation: await sentLink(outside.mail, invited, '/invite/'),
    reset: await askForReset(page, outside.mail),
  };
}

/** Adds an endpoint, and waits until a test event has been delivered to it. */
async function deliverTest(demo: Demo, url: string): Promise<string> {
  const eventTypes = ['chain.completed', 'chain.needs_human'];
  const { id } = await demo.post('webhook-endpoints', { url, eventTypes });
  const delivery = await demo.post(`webhook-endpoints/${id}/test`);
  const resource = `webhook-deliveries/${delivery.id}`;
  await expect.poll(async () => (await demo.get(resource)).status).toBe('delivered');
  return `/${demo.organization}/webhooks/${id}?delivery=${delivery.id}`;
}

/** Asks about the chain and waits for the answer. */
async function askAbout({ demo, chain }: Story): Promise<string> {
  const asked = { chain: chain.id, message: 'Why was web restarted?' };
  const { id } = await demo.post('conversations', asked);
  const isBusy = async () => (await demo.get(`conversations/${id}`)).isBusy;
  await expect.poll(isBusy, { timeout: CHAIN_MS }).toBe(false);
  return `${demo.root}/ask/${id}`;
}

/** Lets a chain wait until the start of tier 2 is approved, stops it, and repairs the demo. */
async function requestApproval(demo: Demo): Promise<string> {
  await demo.configure({ tiers: [{ tier: 2, requiresApproval: true }] });
  await demo.break();
  const { id } = await demo.start();
  const approvals = async () => (await demo.get(`approvals?chain=${id}`)).data;
  await expect.poll(async () => (await approvals()).length, { timeout: CHAIN_MS }).toBe(1);
  const [approval] = await approvals();
  await demo.post(`chains/${id}/stop`);
  await demo.waitUntilIdle();
  await demo.configure({ tiers: [{ tier: 2, requiresApproval: false }] });
  await demo.repair();
  return `/${demo.organization}/approvals/${approval.id}`;
}

/** Lets another system report an outage, and resolves its incident. */
async function makeIncident(page: Page, demo: Demo): Promise<string> {
  await demo.configure({ startOn: { alert: false } });
  const source = await openSignalSource(page, demo);
  await source.send('one', 'Payments fail', 'firing');
  const open = async () => (await demo.get('incidents?state=active')).data;
  const isReported = ({ title }: { title: string }) => title.includes('Payments fail');
  await expect.poll(async () => (await open()).some(isReported)).toBe(true);
  const { id, number } = (await open()).find(isReported);
  await demo.post(`incidents/${id}/resolve`);
  await demo.configure({ startOn: { alert: true } });
  return `${demo.root}/incidents/${number}`;
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

/** The path of the newest link of this kind that was sent to them; empty while none was. */
function linkIn(mail: MailServer, email: string, kind: string): string {
  const letter = mail.received.findLast(({ to }) => to.includes(email));
  const link = letter?.source.match(/https?:\/\/\S+/g)?.find((url) => url.includes(kind));
  return link ? new URL(link).pathname : '';
}
