/** Who and what the story needs besides the product; all of it ends with the test, however it ends. */
import { test as base, type Page } from '@playwright/test';
import type { MailServer } from '../../support/mail-server/mail-server';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver/receiver';
import { startProductMail } from '../support/product-mail';
import { Host } from './host';

interface Cast {
  /** In a browser of his own. */
  bo: Page;
  mail: MailServer;
  host: Host;
  receiver: WebhookReceiver;
}

export const test = base.extend<Cast>({
  bo: async ({ browser }, use) => {
    const context = await browser.newContext();
    await use(await context.newPage());
    await context.close();
  },
  mail: async ({ baseURL }, use) => {
    const mail = await startProductMail(baseURL);
    await use(mail);
    await mail.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: what a fixture depends on is read from its first parameter
  host: async ({}, use) => {
    const host = await Host.start();
    await use(host);
    await host.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: what a fixture depends on is read from its first parameter
  receiver: async ({}, use) => {
    const receiver = await startWebhookReceiver();
    await use(receiver);
    await receiver.close();
  },
});
