'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { tierModelsOf } from '@/lib/agents/registry';
import { startChain } from '@/lib/engine/chains/start-chain';
import { testCheckIfOnline } from '@/lib/fleet/check-tests';
import { canPoolConfine } from '@/lib/fleet/manage-runners';
import { slugOfName } from '@/lib/identity/organizations/slug';
import { parseInput } from '@/lib/platform/http/read-body';
import { projectDocumentSchema } from '@/lib/projects/document/schema';
import { createProject as create } from '@/lib/projects/manage-project';
import { newProjectConfig, newProjectIsolation } from '@/lib/projects/new-project';
import { projectConfigSchema } from '@/lib/projects/schema';
import { testTarget as test } from '@/lib/projects/target-test';
import {
  checkOfTemplate,
  serviceNameOf,
  TEMPLATE_NAMES,
  wrongTarget,
} from '@/lib/projects/templates';
import { withAgent } from '@/lib/projects/tier-models';

const { name, harness, services, monitoring, schedule, runnerPool, instructions } =
  projectDocumentSchema.shape;

/**
 * Makes the project with tier 1 alone and starts its first chain. Its checks run without an agent unless
 * the input says otherwise. It is confined if the pool can confine agents now.
 */
export const createProject = action(
  z.object({
    name,
    harness: harness.unwrap(),
    services: services.unwrap(),
    monitoring,
    schedule: schedule.unwrap(),
    runnerPool: runnerPool.unwrap(),
    instructions: instructions.unwrap().default(''),
  }),
  async ({ scope, input: { name, monitoring = {}, ...chosen } }) => {
    const defaults = newProjectConfig(
      newProjectIsolation(await canPoolConfine(scope, chosen.runnerPool)),
    );
    const forAgent = withAgent(defaults, chosen.harness, tierModelsOf(chosen.harness));
    const config = parseInput(projectConfigSchema, {
      ...forAgent,
      ...chosen,
      monitoring: { ...forAgent.monitoring, ...monitoring },
    });
    const { projectId, slug } = await create(scope, { name, slug: slugOfName(name), config });
    const { number } = await startChain(scope, { projectId, trigger: 'manual' });
    return { slug, number };
  },
);

/** By a runner of the pool, from its own host; a public URL from here while there is none. */
export const testTarget = action(
  z.object({
    target: z.string().max(500),
    template: z.enum(TEMPLATE_NAMES).default('web'),
    pool: z.string().min(1),
  }),
  async ({ scope, input }) => {
    const check = checkOfTemplate(input.template, input.target);
    if (!check) return { kind: 'failed', message: wrongTarget(input.template) } as const;
    const service = serviceNameOf(check);
    const found = await testCheckIfOnline(scope, { pool: input.pool, service, check });
    if ('runner' in found) return { kind: 'checked', ...found } as const;
    return (await test(check)) ?? ({ kind: 'no_runner', reason: found.refusal } as const);
  },
  { role: 'admin' },
);
