/** A project as one document, as REST API and `project apply` take it. Unknown fields are refused. */

import { z } from 'zod';
import { slugSchema } from '@/lib/platform/slug';
import { tierSchema } from '@/lib/protocol/spec';
import { checkpointSettingsSchema } from '../checkpoint-settings';
import { budgetsSchema, projectConfigSchema, tierPolicySchema } from '../schema';

const config = projectConfigSchema.shape;

/** Only what is named differs from what is there; defaults of the whole policy do not count. */
const { prompt, stallSeconds, contextWindow, ...policy } = tierPolicySchema.shape;
const tierPatchSchema = z
  .strictObject({
    ...policy,
    prompt: prompt.unwrap(),
    stallSeconds: stallSeconds.unwrap(),
    contextWindow: contextWindow.unwrap(),
  })
  .partial()
  .extend({ tier: tierSchema });
export type TierPatch = z.infer<typeof tierPatchSchema>;

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(80, 'A name has at most 80 characters.');

/** Objects merge, lists are replaced; `tiers` merge by their number. */
export const projectPatchSchema = z
  .strictObject({
    name: nameSchema,
    slug: slugSchema,
    harness: config.harness,
    services: config.services,
    schedule: config.schedule,
    tiers: z.array(tierPatchSchema).max(3),
    maxTier: config.maxTier,
    dryRun: config.dryRun,
    contextThreshold: config.contextThreshold,
    continuation: config.continuation.partial(),
    cooldowns: config.cooldowns,
    budgets: budgetsSchema.partial(),
    maintenance: config.maintenance.unwrap(),
    checkpoints: checkpointSettingsSchema.partial(),
    askAgents: config.askAgents.unwrap(),
    instructions: config.instructions.unwrap(),
    runnerPool: config.runnerPool,
    secrets: config.secrets.unwrap(),
  })
  .partial();
export type ProjectPatch = z.infer<typeof projectPatchSchema>;

/** A new project: a name, and whatever differs from the defaults. */
export const projectDocumentSchema = projectPatchSchema.extend({ name: nameSchema });
export type ProjectDocument = z.infer<typeof projectDocumentSchema>;
