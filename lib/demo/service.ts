import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { poolQueue, runnerQueue } from '@/lib/attempts/data';
import { createAccount } from '@/lib/auth/service/sign-up';
import { hashToken, mintToken } from '@/lib/crypto/tokens';
import { inTransaction } from '@/lib/db/tenant-db';
import { findDemoServices } from '@/lib/demo-service/client';
import { demoProjectConfig } from '@/lib/demo-service/project-config';
import { env } from '@/lib/env';
import { findProjectBySlug, getConfig } from '@/lib/projects/data';
import { createProject } from '@/lib/projects/service/create-project';
import { saveProject } from '@/lib/projects/service/save-project';
import { listQueuesForRunners } from '@/lib/queue/runner-queues';
import { ensurePool, insertRunner } from '@/lib/runners/data';
import { scopeOfMember, scopeOfSystem } from '@/lib/tenancy/make-scope';
import type { TenantScope } from '@/lib/tenancy/scope';
import { findDemo } from './data';

const EMAIL = 'demo@tierwatch.example';
const POOL = 'local';
const RUNNER = 'local';
const SLUG = 'checkout';

/**
 * Makes the demo organization with its account, its project and the key of the local runner.
 * Running it again changes nothing; without the demo service it makes no project.
 */
export async function seedDemo(): Promise<void> {
  if (await findDemo()) return;
  const password = randomBytes(12).toString('base64url');
  const account = await createAccount(
    { email: EMAIL, password, name: 'Demo', organizationName: 'Acme' },
    { isDemo: true },
  );
  const scope = await scopeOfMember({ id: account.userId, label: EMAIL }, account.organizationSlug);
  await enrolLocalRunner(scope);
  const services = await findDemoServices(env().dataDir);
  if (services) {
    await createProject(scope, {
      name: 'Checkout',
      slug: SLUG,
      config: demoProjectConfig(services, POOL),
    });
  }
  await writePrivate(
    path.join(env().dataDir, 'demo-account.json'),
    JSON.stringify({ email: EMAIL, password, organization: account.organizationSlug }, null, 2),
  );
}

/** The demo's services may come up on other ports; its project then follows them in a new version. */
export async function refreshDemo(): Promise<void> {
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
  const fresh = demoProjectConfig(services, POOL).services;
  if (JSON.stringify(fresh) === JSON.stringify(config.services)) return;
  await saveProject(scope, {
    projectId: project.id,
    baseVersion: project.currentVersion,
    name: project.name,
    slug: project.slug,
    config: { ...config, services: fresh },
    note: 'The demo services moved to other ports.',
  });
}

/** The local runner serves this organization only; its key goes straight into its own folder. */
async function enrolLocalRunner(scope: TenantScope): Promise<void> {
  const key = mintToken('rnk');
  const { poolId, runnerId } = await inTransaction(scope, async (db) => {
    const poolId = await ensurePool(db, scope.organizationId, POOL);
    const runnerId = await insertRunner(db, scope.organizationId, {
      poolId,
      name: RUNNER,
      keyHash: hashToken(key),
      allowedTiers: [1, 2, 3],
    });
    return { poolId, runnerId };
  });
  await listQueuesForRunners([poolQueue(poolId), runnerQueue(runnerId)]);
  await writePrivate(path.join(env().dataDir, 'runner', 'runner-key'), `${key}\n`);
}

async function writePrivate(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
