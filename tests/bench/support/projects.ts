import { findDemoServices } from '@/lib/projects/demo-service/client';
import { demoProjectConfig } from '@/lib/projects/demo-service/project-config';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import type { ProjectDto } from '@/lib/projects/view';
import { createProject } from '@/tests/support/system/chain-run';
import type { Product } from './product';

/**
 * A project on the demo's services and the local runner that starts manually, without budgets and
 * with cooldowns that a row of faults does not use up.
 */
export async function addProject(
  { dataDir, api }: Pick<Product, 'dataDir' | 'api'>,
  changes: Pick<ProjectDocument, 'name' | 'slug'> & Partial<ProjectDocument>,
): Promise<ProjectDto> {
  const services = await findDemoServices(dataDir);
  if (!services) throw new Error('The demo services were not started.');
  const { tiers, ...config } = demoProjectConfig(services, 'open', 'local');
  return createProject(api, {
    ...config,
    tiers: [...tiers],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    cooldowns: [{ action: 'restart', limit: 100, windowSeconds: 60 }],
    budgets: { chainUsd: null, dayUsd: null, monthUsd: null },
    ...changes,
  });
}
