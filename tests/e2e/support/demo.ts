import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import { sessionDetailSchema } from '@/lib/insight/sessions/schema';
import { type DemoFault, demoPaths } from '@/lib/projects/demo-service/schema';
import { projectDtoSchema } from '@/lib/projects/view';
import { makeToken, signIn } from './sign-in';

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
    const organization = await signInToDemo(page);
    const token = await makeToken(page, organization);
    const demo = new Demo(page, organization, token);
    await demo.configure({
      schedule: { kind: 'manual', timeZone: 'UTC' },
      monitoring: { everySeconds: null },
      cooldowns: [{ action: 'restart', limit: 100, windowSeconds: 60 }],
    });
    await demo.waitUntilIdle();
    return demo;
  }

  /** Breaks a service, by default its configuration, which only tier 3 can fix. */
  async break(fault: DemoFault = 'config'): Promise<void> {
    await this.democtl('break', fault);
  }

  /** Repairs whatever is broken, which takes no tier but the one that sees it. */
  async repair(): Promise<void> {
    await this.democtl('repair-config', 'web');
    await this.democtl('restart', 'web');
    await this.run();
  }

  private async democtl(...args: string[]): Promise<void> {
    const { dataDir } = test.info().project.metadata;
    const { binDir } = demoPaths(dataDir);
    await promisify(execFile)(path.join(binDir, 'democtl'), args);
  }

  /** Starts a chain, which no page follows. */
  async start(): Promise<z.infer<typeof chainDetailSchema>> {
    return chainDetailSchema.parse(await this.post('projects/checkout/chains'));
  }

  /** Starts a chain and waits until it has ended. */
  async run(): Promise<z.infer<typeof chainDetailSchema>> {
    const { id } = await this.start();
    await this.waitUntilIdle();
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

  async waitUntilIdle(): Promise<void> {
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

  async get(resource: string) {
    const response = await this.page.request.get(`/api/v1/${resource}`, {
      headers: { authorization: `Bearer ${this.token}` },
      // A connection that was kept may be closed by the server at the moment it is used again.
      maxRetries: 2,
    });
    const text = await response.text();
    expect(response.status(), text).toBe(200);
    return JSON.parse(text);
  }

  async post(resource: string, data: object = {}) {
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await this.page.request.post(`/api/v1/${resource}`, { headers, data });
    const text = await response.text();
    expect(response.ok(), text).toBe(true);
    return JSON.parse(text);
  }
}

/** Signs in as who owns the demo organization of the product under test. @returns its address: "acme" */
export async function signInToDemo(page: Page): Promise<string> {
  const { dataDir } = test.info().project.metadata;
  const file = readFileSync(path.join(dataDir, 'demo-account.json'), 'utf8');
  const { email, password, organization } = accountSchema.parse(JSON.parse(file));
  await signIn(page, email, password);
  return organization;
}
