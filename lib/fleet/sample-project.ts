import { randomBytes } from 'node:crypto';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { PreconditionFailedError } from '@/lib/platform/errors';
import { findDemoServices, getDemoStatus } from '@/lib/projects/demo-service/client';
import { demoProjectConfig } from '@/lib/projects/demo-service/project-config';
import { createProject } from '@/lib/projects/manage-project';
import { newProjectIsolation } from '@/lib/projects/new-project';
import { findProjectBySlug } from '@/lib/projects/project-rows';
import { canPoolConfine, poolForNewProject } from './manage-runners';

const SAMPLE = { name: 'Sample shop', slug: 'sample-shop' };

/** Whether the services of the sample run on this installation, as they do with `npm start`. */
export async function isSampleAvailable(): Promise<boolean> {
  return (await getDemoStatus()) !== null;
}

/**
 * Creates a project like the seeded demo: three small services of this machine, the demo agent, all
 * three tiers on. It runs in the pool of a runner that is online, if there is one.
 *
 * @throws PreconditionFailedError where the demo service doesn't run
 */
export async function loadSampleProject(scope: TenantScope): Promise<{ slug: string }> {
  requireMay(scope, 'project.create');
  const services = (await isSampleAvailable()) ? await findDemoServices(env().dataDir) : null;
  if (!services) {
    throw new PreconditionFailedError(
      'The services of the sample don’t run on this installation. Create a project of your own.',
    );
  }
  const taken = await inTransaction(scope, (db) => findProjectBySlug(db, SAMPLE.slug));
  const slug = taken ? `${SAMPLE.slug}-${randomBytes(2).toString('hex')}` : SAMPLE.slug;
  const pool = await poolForNewProject(scope);
  const isolation = newProjectIsolation(await canPoolConfine(scope, pool));
  const config = demoProjectConfig(services, isolation, pool);
  const { slug: made } = await createProject(scope, { ...SAMPLE, slug, config });
  return { slug: made };
}
