/** Alice owns an organization with a project and a runner; each test makes its own. */

import { randomBytes } from 'node:crypto';
import { recordHeartbeat } from '@/lib/engine/directives';
import { insertRunner } from '@/lib/fleet/data';
import { createAccount } from '@/lib/identity/auth/sign-up';
import { scopeOfMember, scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { createProject } from '@/lib/projects/manage-project';
import { ensurePool } from '@/lib/projects/project-rows';
import { type ProjectConfig, projectConfigSchema } from '@/lib/projects/schema';
import { currentSuperuserUrl } from '../database';
import { TEST_CAPABILITIES } from './capabilities';
import { copyRows, type TakenRows, takeRows } from './copied-rows';

export interface Cast {
  alice: TenantScope;
  projectId: string;
  projectSlug: string;
  organizationSlug: string;
  runner: TenantScope;
  runnerKey: string;
}

export function testConfig(changes: Partial<ProjectConfig> = {}): ProjectConfig {
  const [one, two, three] = DEFAULT_TIERS;
  return projectConfigSchema.parse({
    harness: 'claude',
    isolation: 'open',
    services: [
      { name: 'web', checks: [{ type: 'http', target: 'http://127.0.0.1:9/health' }] },
      { name: 'db', checks: [{ type: 'tcp', target: '127.0.0.1:9' }] },
    ],
    schedule: { kind: 'manual' },
    tiers: [one, { ...two, isEnabled: true }, { ...three, isEnabled: true }],
    maxTier: 3,
    dryRun: false,
    contextThreshold: 0.8,
    continuation: { tier1To2: 'resume', tier2To3: 'resume' },
    cooldowns: [{ action: 'restart', limit: 2, windowSeconds: 14_400 }],
    budgets: { chainUsd: null, dayUsd: null, monthUsd: null },
    runnerPool: 'default',
    ...changes,
  });
}

/** Made by the services, each once in a process. */
const originals = new Map<string, { made: { cast: Cast }; taken: TakenRows }>();

/**
 * Makes an organization with a project and a runner, by what the product itself does for that. Further ones with the
 * same configuration are copies.
 */
export async function makeCast(
  changes: Partial<ProjectConfig> = {},
  now = new Date(),
): Promise<Cast> {
  const key = JSON.stringify(changes);
  return (await makeOnce(key, now, async () => ({ cast: await castByServices(changes, now) })))
    .cast;
}

/**
 * Makes an organization in which something has happened. Further ones with the same key are copies of its rows.
 *
 * @param make gives the organization and what else a test has to know of it, as JSON
 */
export async function makeOnce<Made extends { cast: Cast }>(
  key: string,
  now: Date,
  make: () => Promise<Made>,
): Promise<Made> {
  const database = currentSuperuserUrl();
  const original = originals.get(key);
  if (!database || !original) {
    const made = await make();
    if (!database) return made;
    const taken = await takeRows(database, made.cast.alice.organizationId, now);
    originals.set(key, { made, taken });
    return made;
  }
  const { made, taken } = original;
  if (!taken.isMadeNow && taken.now !== now.getTime()) return make();
  return copyOf(database, made as Made, taken, now);
}

async function copyOf<Made extends { cast: Cast }>(
  database: string,
  made: Made,
  taken: TakenRows,
  now: Date,
): Promise<Made> {
  const { runnerKey, organizationSlug, alice } = made.cast;
  const newKey = mintToken('rnk');
  const rewrite = await copyRows(database, taken, now, [
    [hashToken(runnerKey), hashToken(newKey)],
    [organizationSlug.slice(-8), randomBytes(4).toString('hex')],
    [alice.actor.label.split('@')[0] ?? '', randomBytes(6).toString('hex')],
  ]);
  const copy = JSON.parse(rewrite(JSON.stringify(made))) as Made;
  copy.cast.runnerKey = newKey;
  Object.assign(copy.cast.alice.actor, { provedAt: new Date() });
  return copy;
}

async function castByServices(changes: Partial<ProjectConfig>, now: Date): Promise<Cast> {
  const name = `Acme ${randomBytes(4).toString('hex')}`;
  const email = `${randomBytes(6).toString('hex')}@acme.example`;
  const account = await createAccount({
    email,
    password: 'correct horse battery',
    name: 'Alice',
    organizationName: name,
  });
  const alice = await scopeOfMember(
    { id: account.userId, label: email, provedAt: new Date() },
    account.organizationSlug,
  );
  const project = await createProject(
    alice,
    { name: 'Checkout', slug: 'checkout', config: testConfig(changes) },
    now,
  );
  const runnerKey = await enrolTestRunner(alice, 'runner-1');
  const runner = await scopeOfRunner(runnerKey);
  await recordHeartbeat(runner, { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] }, now);
  return {
    alice,
    projectId: project.projectId,
    projectSlug: project.slug,
    organizationSlug: account.organizationSlug,
    runner,
    runnerKey,
  };
}

export async function enrolTestRunner(
  scope: TenantScope,
  name: string,
  allowedTiers = [1, 2, 3],
): Promise<string> {
  const key = mintToken('rnk');
  await inTransaction(scope, async (db) => {
    const poolId = await ensurePool(db, 'default');
    await insertRunner(db, {
      poolId,
      name,
      keyHash: hashToken(key),
      allowedTiers,
    });
  });
  return key;
}
