import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createAccount, findAccount, setAccountPassword } from '@/lib/identity/auth/sign-up';
import { scopeOfMember, scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError } from '@/lib/platform/errors';
import { findDemoServices } from '@/lib/projects/demo-service/client';
import {
  DEMO_MONITORING,
  demoProjectConfig,
  moveDemoServices,
} from '@/lib/projects/demo-service/project-config';
import { createProject, saveProject } from '@/lib/projects/manage-project';
import { ensurePool, findProjectBySlug, getConfig } from '@/lib/projects/project-rows';
import type { Isolation } from '@/lib/protocol/confinement';
import { findDemo, findRunnerByName, insertRunner, replaceRunnerKey } from './data';

const EMAIL = 'demo@tierwatch.example';
const POOL = 'local';
const RUNNER = 'local';
const SLUG = 'checkout';

/**
 * Creates the demo organization with its account, its project and the key of the local runner. Each
 * step runs only if its result is missing, and the account's file is written last, so an
 * interrupted set-up is completed by the next one. Without the demo service no project is created.
 *
 * @param runnerDir the local runner's folder. A folder without a key gets one, which replaces the
 *   key in the folder that the runner had before.
 * @param isolation of the project: what the local runner will be able to do
 */
export async function seedDemo(runnerDir: string, isolation: Isolation): Promise<void> {
  const file = path.join(env().dataDir, 'demo-account.json');
  const keyFile = path.join(runnerDir, 'runner-key');
  const known = await findDemo();
  if (known && existsSync(file)) {
    if (!existsSync(keyFile)) await enrolLocalRunner(scopeOfSystem(known.id, 'Start'), keyFile);
    return;
  }
  const password = randomBytes(12).toString('base64url');
  const slug = known?.slug ?? (await makeAccount(password));
  const user = await getUserByEmail(EMAIL);
  if (known) await setAccountPassword(user.id, password);
  const scope = await scopeOfMember({ id: user.id, label: EMAIL }, slug);
  await enrolLocalRunner(scope, keyFile);
  await makeProject(scope, isolation);
  await writePrivate(file, JSON.stringify({ email: EMAIL, password, organization: slug }, null, 2));
}

async function makeAccount(password: string): Promise<string> {
  const account = await createAccount(
    { email: EMAIL, password, name: 'Demo', organizationName: 'Acme' },
    { isDemo: true },
  );
  return account.organizationSlug;
}

async function getUserByEmail(email: string) {
  const user = await findAccount(email);
  if (!user) throw new Error(`The demo organization has no account ${email}.`);
  return user;
}

async function makeProject(scope: TenantScope, isolation: Isolation): Promise<void> {
  const services = await findDemoServices(env().dataDir);
  const existing = await inTransaction(scope, (db) => findProjectBySlug(db, SLUG));
  if (!services || existing) return;
  const config = demoProjectConfig(services, isolation, POOL, DEMO_MONITORING);
  await createProject(scope, { name: 'Checkout', slug: SLUG, config });
}

/** Updates the demo project in a new version if the demo's services started elsewhere than before. */
export async function refreshDemo(): Promise<void> {
  for (;;) {
    try {
      return await saveMovedServices();
    } catch (error) {
      // Another worker was first, or a person saved: what is current now is compared again.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

async function saveMovedServices(): Promise<void> {
  const demo = await findDemo();
  const services = demo ? await findDemoServices(env().dataDir) : null;
  if (!demo || !services) return;
  const scope = scopeOfSystem(demo.id, 'Demo service');
  const current = await inTransaction(scope, async (db) => {
    const project = await findProjectBySlug(db, SLUG);
    return project && { project, config: await getConfig(db, project.id, project.currentVersion) };
  });
  if (!current) return;
  const { project, config } = current;
  const moved = moveDemoServices(config.services, services);
  if (isDeepStrictEqual(moved, config.services)) return;
  await saveProject(scope, {
    projectId: project.id,
    baseVersion: project.currentVersion,
    name: project.name,
    slug: project.slug,
    config: { ...config, services: moved },
    note: 'The demo services moved.',
  });
}

/**
 * Enrols the local runner, which serves this organization only. Its key is written to its own
 * folder.
 */
async function enrolLocalRunner(scope: TenantScope, keyFile: string): Promise<void> {
  const key = mintToken('rnk');
  const keyHash = hashToken(key);
  await inTransaction(scope, async (db) => {
    const poolId = await ensurePool(db, POOL);
    const existing = await findRunnerByName(db, RUNNER);
    if (existing) return replaceRunnerKey(db, existing.id, keyHash);
    const runner = { poolId, name: RUNNER, keyHash, allowedTiers: [1, 2, 3] };
    await insertRunner(db, runner);
  });
  await writePrivate(keyFile, `${key}\n`);
}

async function writePrivate(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
