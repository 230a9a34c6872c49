/** The whole product as `npm start` runs it, on a data folder of its own. */

import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { readDemoAccount } from '@/scripts/bootstrap/demo-account.mjs';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { eventually } from '@/tests/bootstrap/eventually';
import { findPart, type Part } from '@/tests/bootstrap/started-system';
import { type ApiClient, apiClient } from '@/tests/support/system/api-client';

export interface Product {
  url: string;
  dataDir: string;
  /** Of the demo organization, whose pool `local` the local runner serves. */
  account: z.infer<typeof accountSchema>;
  /** Of the REST API, for everything in the demo organization. */
  token: string;
  api: ApiClient;
  pidOf(part: Part): number;
  stop(): Promise<void>;
}

/** Of demo-account.json in the data folder. */
export const accountSchema = z.object({
  email: z.string(),
  password: z.string(),
  organization: z.string(),
});

const STOP_WITHIN_MS = 40_000;
const ONLINE_WITHIN_MS = 60_000;

/** `more`: settings of the start, such as CLAUDE_BIN. @throws Error with what it printed. */
export async function startProduct(
  dataDir: string,
  more: Record<string, string> = {},
): Promise<Product> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...environmentOf(dataDir), PORT: String(port), ...more };
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
        if (printed.includes('Press Ctrl-C')) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`npm start ended:\n${printed}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
  };
  try {
    const account = accountSchema.parse(readDemoAccount(dataDir));
    const token = await makeToken(dataDir, account.organization);
    const api = apiClient(url, token);
    await eventually('the local runner is online', () => hasRunner(api), ONLINE_WITHIN_MS);
    return { url, dataDir, account, token, api, pidOf: (part) => pidOf(dataDir, part), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environmentOf(dataDir: string) {
  const { PATH, HOME } = process.env;
  return { NODE_ENV: 'production', PATH, HOME, TIERWATCH_DATA_DIR: dataDir } as const;
}

/** A token of the REST API for everything in the organization, by its slug. */
export async function makeToken(dataDir: string, organization: string): Promise<string> {
  const program = path.join(checkout, 'scripts', 'tierwatch.mjs');
  const args = ['token', 'create', '--organization', organization, '--scopes', 'all'];
  const env = environmentOf(dataDir);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
  return stdout.trim();
}

async function hasRunner(api: ApiClient): Promise<boolean> {
  const { data } = await api.get('runners', pageSchema(runnerDtoSchema));
  return data.some((runner) => runner.status === 'online');
}

function pidOf(dataDir: string, part: Part): number {
  const found = findPart(dataDir, part);
  if (!found) throw new Error(`The process ${part} does not run.`);
  return found.pid;
}
