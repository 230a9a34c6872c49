import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import { sessionDetailSchema } from '@/lib/insight/sessions/schema';
import { projectDtoSchema } from '@/lib/projects/view';
import { makeToken } from './api-token';

const accountSchema = z.object({
  email: z.string(),
  password: z.string(),
  organization: z.string(),
});

const CHAIN_MS = 90_000;

/** The demo organization with its project, as `npm start` seeds them, in a signed-in browser. */
export class Demo {
  /** "/acme/projects/checkout" */
  readonly root: string;

  private constructor(
    private readonly page: Page,
    readonly organization: string,
    /** For everything. Made when the story began: hours later, making one would need a confirmation. */
    readonly token: string,
  ) {
    this.root = `/${organization}/projects/checkout`;
  }

  /** Signs in, and lets nothing but the test start a chain: one more would be one too many. */
  static async open(page: Page): Promise<Demo> {
    const account = demoAccount();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).not.toHaveURL(/sign-in/);
    const token = await makeToken(page, account.organization);
    const demo = new Demo(page, account.organization, token);
    await demo.configure({
      schedule: { kind: 'manual', timeZone: 'UTC' },
      monitoring: { everySeconds: null },
      cooldowns: [{ action: 'restart', limit: 100, windowSeconds: 60 }],
    });
    await demo.waitUntilIdle();
    return demo;
  }

  /** Breaks the configuration of a service, which only tier 3 can fix. */
  async break(): Promise<void> {
    const { page } = this;
    await page.goto(this.root);
    await page.getByRole('button', { name: 'Break it' }).click();
    await page.getByRole('menuitem', { name: /Break a configuration/ }).click();
    await expect(page.getByText(/The next chain repairs it/)).toBeVisible();
  }

  /** Starts a chain from the dashboard, which opens its page. @returns its number */
  async runNow(): Promise<number> {
    const { page } = this;
    await page.goto(this.root);
    await page.getByRole('button', { name: 'Run now' }).click();
    await expect(page).toHaveURL(/\/chains\/\d+$/);
    return Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  }

  /** Starts a chain and waits until it has ended. */
  async run(): Promise<z.infer<typeof chainDetailSchema>> {
    const number = await this.runNow();
    await this.waitUntilIdle();
    const { data } = await this.get(`projects/checkout/chains?limit=5`);
    const { id } = data.find((chain: { number: number }) => chain.number === number);
    return chainDetailSchema.parse(await this.get(`chains/${id}`));
  }

  async session(id: string) {
    return sessionDetailSchema.parse(await this.get(`sessions/${id}`));
  }

  async project() {
    return projectDtoSchema.parse(await this.get('projects/checkout'));
  }

  /** A change of the project's configuration: objects merge. */
  async configure(change: object): Promise<void> {
    const response = await this.page.request.patch('/api/v1/projects/checkout', {
      headers: { authorization: `Bearer ${this.token}` },
      data: change,
    });
    expect(response.status(), await response.text()).toBe(200);
  }

  /** Keeps its runner from taking anything new until the answer is called. */
  async holdRunner(): Promise<() => Promise<void>> {
    const { data } = await this.get('runners');
    const drain = `/api/v1/runners/${data[0].id}/drain`;
    const headers = { authorization: `Bearer ${this.token}` };
    const held = await this.page.request.post(drain, { headers, data: {} });
    expect(held.status(), await held.text()).toBe(200);
    return async () => {
      const letGo = await this.page.request.delete(drain, { headers });
      expect(letGo.ok(), await letGo.text()).toBe(true);
    };
  }

  private async waitUntilIdle(): Promise<void> {
    await expect
      .poll(
        async () => {
          const { data } = await this.get('projects/checkout/chains?limit=5');
          return data.filter((chain: { status: string }) => chain.status !== 'ended').length;
        },
        { timeout: CHAIN_MS },
      )
      .toBe(0);
  }

  private async get(resource: string) {
    const response = await this.page.request.get(`/api/v1/${resource}`, {
      headers: { authorization: `Bearer ${this.token}` },
      // A connection that was kept may be closed by the server at the moment it is used again.
      maxRetries: 2,
    });
    const text = await response.text();
    expect(response.status(), text).toBe(200);
    return JSON.parse(text);
  }
}

/** Who owns the demo organization of the product under test. */
export function demoAccount() {
  const { dataDir } = test.info().project.metadata;
  return accountSchema.parse(
    JSON.parse(readFileSync(path.join(dataDir, 'demo-account.json'), 'utf8')),
  );
}
