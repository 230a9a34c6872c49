'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { tierModelsOf } from '@/lib/agents/registry';
import { startChain } from '@/lib/engine/chains/start-chain';
import { slugOfName } from '@/lib/identity/organizations/slug';
import { DEFAULT_CONFIG } from '@/lib/projects/default-config';
import { projectDocumentSchema } from '@/lib/projects/document/schema';
import { createProject as create } from '@/lib/projects/manage-project';
import { projectConfigSchema } from '@/lib/projects/schema';
import { testTarget as test } from '@/lib/projects/target-test';
import { withAgent } from '@/lib/projects/tier-models';

const { name, harness, services, schedule, runnerPool } = projectDocumentSchema.shape;

/** Makes the project with tier 1 alone and starts its first cycle. */
export const createProject = action(
  z.object({
    name,
    harness: harness.unwrap(),
    services: services.unwrap(),
    schedule: schedule.unwrap(),
    runnerPool: runnerPool.unwrap(),
  }),
  async ({ scope, input: { name, ...chosen } }) => {
    const defaults = withAgent(DEFAULT_CONFIG, chosen.harness, tierModelsOf(chosen.harness));
    const config = projectConfigSchema.parse({ ...defaults, ...chosen });
    const { projectId, slug } = await create(scope, { name, slug: slugOfName(name), config });
    const { number } = await startChain(scope, { projectId, trigger: 'manual' });
    return { slug, number };
  },
);

export const testTarget = action(
  z.object({ target: z.string().max(500) }),
  async ({ input }) => test(input.target),
  { role: 'admin' },
);
