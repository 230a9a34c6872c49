/** The whole product: database, web, worker and runners as processes of their own. */

import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import { runnerDtoSchema } from '@/lib/fleet/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { processEnvironments } from '@/scripts/bootstrap/environment.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { serviceSpecs } from '@/scripts/bootstrap/services.mjs';
import { eventually } from '../../bootstrap/eventually';
import type { TestDatabase } from '../database';
import { type Account, foundAccount } from './account';
import { type ApiClient, apiClient } from './api-client';
import { type ProductProcess, productProcess } from './product-process';
import { type EnrolledRunner, enrolRunner, type RunnerOptions } from './runner';

const READY_MS = 90_000;

export interface SystemOptions {
  /** Settings of the whole start, such as CLAUDEOPS_RESUME_CONTEXT_THRESHOLD. */
  env?: Record<string, string>;
  /** Who the REST API is used as; a new organization where absent. */
  account?: () => Promise<Account>;
  /** TIERWATCH_PUBLIC_URL, where something stands in front of the web process. */
  publicUrl?: string;
}

export interface System {
  url: string;
  dataDir: string;
  api: ApiClient;
  account: Account;
  web: ProductProcess;
  worker: ProductProcess;
  demoService: ProductProcess;
  /** The local runner of the demo organization, as `npm start` runs it; not started. */
  localRunner: ProductProcess;
  /** What the worker process is given. */
  workerEnvironment: Record<string, string | undefined>;
  /** Enrols and starts one, and waits until it is online. */
  addRunner(options: RunnerOptions): Promise<EnrolledRunner>;
  /** Resolves once the web process answers. */
  webAnswers(): Promise<void>;
  runnerIsOnline(name: string): Promise<void>;
  /** Ends with the system, and its last words are shown. */
  adopt(process: ProductProcess): void;
  processes(): ProductProcess[];
  close(): Promise<void>;
}

/** What `npm start` runs, without anybody who uses it. */
export interface Services {
  url: string;
  dataDir: string;
  web: ProductProcess;
  worker: ProductProcess;
  demoService: ProductProcess;
  localRunner: ProductProcess;
  environments: ReturnType<typeof processEnvironments>;
  webAnswers(): Promise<void>;
  processes(): ProductProcess[];
  close(): Promise<void>;
}

type Database = Pick<TestDatabase, 'appUrl' | 'systemUrl' | 'runnerUrl' | 'secretKey'>;

/** A folder for data of a system, which every account of this machine may enter. */
export function makeDataDir(parent = os.tmpdir()): string {
  const dataDir = mkdtempSync(path.join(parent, 'tierwatch-product-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}

/** Starts web and worker; the database has to be there and named in this process's environment. */
export async function startServices(
  database: Database,
  dataDir: string,
  { env = {}, publicUrl }: Omit<SystemOptions, 'account'> = {},
): Promise<Services> {
  const host = '127.0.0.1';
  const port = await findFreePort(host);
  const url = `http://${host}:${port}`;
  const { PATH, HOME } = process.env;
  const facts = {
    dataDir,
    runnerDir: path.join(dataDir, 'runner'),
    host,
    port,
    localUrl: url,
    publicUrl: publicUrl ?? url,
    secretKey: database.secretKey,
    appUrl: database.appUrl,
    systemUrl: database.systemUrl,
    runnerQueueUrl: database.runnerUrl,
  };
  const environments = processEnvironments({ PATH, HOME, ...env }, facts);
  const logs = path.join(dataDir, 'logs');
  const parts = new Map(
    serviceSpecs(environments, facts).map((spec) => [spec.part, productProcess(spec, logs)]),
  );
  const part = (name: string) => {
    const found = parts.get(name);
    if (!found) throw new Error(`npm start runs no process ${name}.`);
    return found;
  };
  const [web, worker] = [part('web'), part('worker')];
  const processes = () => [...parts.values()].reverse();
  const webAnswers = async () => {
    await eventually(`the web process answers (${web.logFile})`, () => answers(url), READY_MS);
  };
  async function close() {
    for (const process of processes()) await process.end();
  }

  try {
    web.start();
    worker.start();
    await webAnswers();
    await eventually(
      'the worker is ready',
      () => worker.output().includes('worker ready'),
      READY_MS,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    dataDir,
    web,
    worker,
    demoService: part('demo-service'),
    localRunner: part('runner'),
    environments,
    webAnswers,
    processes,
    close,
  };
}

/**
 * The services as somebody uses them. What is closed are the runners that were added.
 * @param dataDir where runners and whatever a test adds have their folders
 */
export function systemOf(services: Services, account: Account, dataDir: string): System {
  const { url, environments } = services;
  const api = apiClient(url, account.token);
  const runners: ProductProcess[] = [];
  const runnerIsOnline = async (name: string) => {
    await eventually(`runner ${name} is online`, () => isOnline(api, name), READY_MS);
  };
  return {
    ...services,
    dataDir,
    api,
    account,
    workerEnvironment: environments.worker,
    async addRunner(options) {
      const runner = await enrolRunner({ api, url, dataDir }, environments.runner, options);
      runners.push(runner);
      runner.start();
      await runnerIsOnline(options.name);
      return runner;
    },
    adopt: (process) => void runners.push(process),
    runnerIsOnline,
    processes: () => [...runners, ...services.processes()],
    async close() {
      for (const process of runners) await process.end();
    },
  };
}

/** Starts web and worker for a single user of them. */
export async function startSystem(
  database: Database,
  { account = foundAccount, ...options }: SystemOptions = {},
): Promise<System> {
  const services = await startServices(database, makeDataDir(), options);
  try {
    const system = systemOf(services, await account(), services.dataDir);
    const close = async () => {
      await system.close();
      await services.close();
    };
    return { ...system, close };
  } catch (error) {
    await services.close();
    throw error;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

const runnersSchema = pageSchema(runnerDtoSchema);

async function isOnline(api: ApiClient, name: string): Promise<boolean> {
  const { data }: z.infer<typeof runnersSchema> = await api.get('runners', runnersSchema);
  return data.some((runner) => runner.name === name && runner.status === 'online');
}
