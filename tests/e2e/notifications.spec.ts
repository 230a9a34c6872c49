import { expect, type Page, test } from '@playwright/test';
import type { MailServer } from '../support/mail-server/mail-server';
import {
  startWebhookReceiver,
  verifyReceived,
  type WebhookReceiver,
} from '../support/webhook-receiver/receiver';
import { foundOrganization } from './support/new-organization';
import { startProductMail } from './support/product-mail';
import { expectNoViolations } from './support/violations';

let mail: MailServer;
let receiver: WebhookReceiver;
test.beforeAll(async ({ baseURL }) => {
  mail = await startProductMail(baseURL);
  receiver = await startWebhookReceiver();
});
test.afterAll(async () => {
  await mail.close();
  await receiver.close();
});

function row(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

test('[HND-8.1] a team adds channels, tests them, mutes one and sees the results', async ({
  page,
}) => {
  const { home: organization, email } = await foundOrganization(page);
  await page.goto(`${organization}/settings/notifications`);
  await expect(
    page.getByText('No channel is subscribed to chains that need a human.'),
  ).toBeVisible();
  await expectNoViolations(page);

  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('On-call');
  await dialog.getByLabel('Addresses').fill('nobody');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(dialog.getByText('Enter a full address, such as ops@example.com.')).toBeVisible();
  await expect(dialog.getByLabel('Addresses')).toBeFocused();
  await dialog.getByLabel('Addresses').fill(email);
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('When a chain needs a human, On-call is notified.')).toBeVisible();

  await page.getByRole('button', { name: 'Send test to On-call' }).click();
  await expect(row(page, 'On-call').getByText('Delivered')).toBeVisible();
  expect(mail.received.some(({ to }) => to.includes(email))).toBe(true);

  await page.getByRole('button', { name: 'Add channel' }).click();
  await dialog.getByText('Apprise', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Pager');
  await dialog.getByLabel('Apprise server').fill(new URL(receiver.url).origin);
  await dialog.getByLabel('Apprise URLs').fill('slack://very-secret/ops');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(dialog).toBeHidden();
  // The second try would overwrite what is shown of the first one.
  receiver.answerWith({
    status: 424,
    headers: { 'retry-after': '3600' },
    body: 'slack said no',
  });
  await page.getByRole('button', { name: 'Send test to Pager' }).click();
  await expect(row(page, 'Pager').getByText('slack said no')).toBeVisible();
  await expect(page.getByText('Pager is failing.')).toBeVisible();
  expect(await page.content()).not.toContain('very-secret');
  await expectNoViolations(page);

  await page.getByRole('button', { name: 'More for Pager' }).click();
  await page.getByRole('menuitem', { name: 'Mute' }).click();
  await expect(row(page, 'Pager').getByText('Muted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send test to Pager' })).toBeDisabled();
});

test('[INC-2.2] a team adds Slack, an on-call webhook and PagerDuty without an Apprise server', async ({
  page,
}) => {
  const { home: organization } = await foundOrganization(page);
  await page.goto(`${organization}/settings/notifications`);
  const dialog = page.getByRole('dialog');
  const add = dialog.getByRole('button', { name: 'Add channel' });

  await page.getByRole('button', { name: 'Add channel' }).click();
  await dialog.getByText('Slack', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Ops chat');
  await dialog.getByLabel('Webhook URL').fill(new URL(receiver.url).origin);
  await add.click();
  await expect(dialog.getByText('This URL has no path.')).toBeVisible();
  await expect(dialog.getByLabel('Webhook URL')).toBeFocused();
  await dialog.getByLabel('Webhook URL').fill(`${receiver.url}/T0/B0/very-secret`);
  await expectNoViolations(page);
  await add.click();
  await expect(dialog).toBeHidden();
  receiver.answerWith({ status: 200, body: 'ok' });
  await page.getByRole('button', { name: 'Send test to Ops chat' }).click();
  await expect(row(page, 'Ops chat').getByText('Delivered')).toBeVisible();
  expect(JSON.parse(String(receiver.received.at(-1)?.rawBody))).toHaveProperty('blocks');
  expect(await page.content()).not.toContain('very-secret');
  receiver.answerWith({ status: 404, body: 'no_service' });
  await page.getByRole('button', { name: 'Send test to Ops chat' }).click();
  await expect(row(page, 'Ops chat').getByText('Disabled by its target')).toBeVisible();
  await expect(row(page, 'Ops chat').getByText('the webhook was removed')).toBeVisible();

  await page.getByRole('button', { name: 'Add channel' }).click();
  await dialog.getByText('On-call webhook', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Duty');
  await dialog.getByLabel('URL', { exact: true }).fill(receiver.url);
  await dialog.getByLabel('Headers').fill('Authorization: Bearer very-secret');
  await add.click();
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send test to Duty' }).click();
  await expect(row(page, 'Duty').getByText('Delivered')).toBeVisible();
  const signed = receiver.received.at(-1);
  if (!signed) throw new Error('Nothing arrived.');
  expect(signed.headers.authorization).toBe('Bearer very-secret');
  expect(verifyReceived(signed, secret)).toMatchObject({ type: 'channel.test', status: null });
  await page.getByRole('button', { name: 'More for Duty' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await dialog.getByRole('button', { name: 'Replace target' }).click();
  await expect(dialog.getByLabel('URL', { exact: true })).toHaveValue('');
  await page.keyboard.press('Escape');
  expect(await page.content()).not.toContain('very-secret');

  await page.getByRole('button', { name: 'Add channel' }).click();
  await dialog.getByText('PagerDuty', { exact: true }).click();
  await expect(dialog.getByText('On-call targets receive alerts only')).toBeVisible();
  await expect(dialog.getByLabel('Needs a human', { exact: true })).toBeChecked();
  await expect(dialog.getByLabel('Failed', { exact: true })).toHaveCount(0);
  await expect(dialog.getByLabel('Incident opened', { exact: true })).toBeVisible();
  await expect(dialog.getByLabel('Incident being verified', { exact: true })).toHaveCount(0);
  await expect(dialog.getByLabel('Runner offline', { exact: true })).toHaveCount(0);
  await dialog.getByLabel('Name').fill('Pager');
  await dialog.getByLabel('Integration key').fill('0123456789abcdef0123456789abcdef');
  await dialog.getByLabel('API address').fill(new URL(receiver.url).origin);
  await add.click();
  await expect(dialog).toBeHidden();
  const before = receiver.received.length;
  receiver.answerWith({ status: 202 }, { status: 202 });
  await page.getByRole('button', { name: 'Send test to Pager' }).click();
  await expect(row(page, 'Pager').getByText('Delivered')).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(before + 2);
  const actions = receiver.received.slice(before).map(({ rawBody }) => {
    return JSON.parse(String(rawBody)).event_action;
  });
  expect(actions).toEqual(['trigger', 'resolve']);
});

test('[SAS-5.1] a team adds a webhook, verifies a test event, rotates, replays and recovers', async ({
  page,
}) => {
  const { home: organization } = await foundOrganization(page);
  await page.goto(`${organization}/webhooks`);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('http://169.254.169.254/latest');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog.getByText('is a metadata address.')).toBeVisible();
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('runner.offline').check();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Open the endpoint' }).click();
  await expect(page.getByText(`whsec_••••${secret.slice(-4)}`)).toBeVisible();

  const before = receiver.received.length;
  receiver.answerWith({ status: 500, body: 'upstream is down' });
  await page.getByRole('button', { name: 'Send test event' }).click();
  const detail = page.getByRole('region', { name: 'Delivery' });
  await expect(detail.getByText('upstream is down')).toBeVisible();
  await expect(detail.getByText('webhook-signature: v1,').first()).toBeVisible();
  await expect(detail.getByRole('button', { name: 'Copy as curl' })).toBeVisible();
  await expect(detail.getByText('Delivered')).toBeVisible();
  const [first, second] = receiver.received.slice(before);
  if (!first || !second) throw new Error('It was not tried twice.');
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(verifyReceived(second, secret)).toMatchObject({ type: 'webhook.test' });
  await expectNoViolations(page);

  await page.getByRole('button', { name: 'More for this endpoint' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret…' }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const rotated =
    (await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await detail.getByRole('button', { name: 'Replay' }).click();
  await expect.poll(() => receiver.received.length).toBe(before + 3);
  const replayed = receiver.received[before + 2];
  if (!replayed) throw new Error('It was not replayed.');
  expect(replayed.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(verifyReceived(replayed, secret)).toEqual(verifyReceived(replayed, rotated));

  await page.getByRole('button', { name: 'Recover failed…' }).click();
  await page.getByRole('button', { name: 'Recover deliveries' }).click();
  await expect(page.getByText('There was nothing to recover.')).toBeVisible();
});
