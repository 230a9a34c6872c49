import { z } from 'zod';
import { tierModelsOf } from '@/lib/agents/registry';
import { route } from '@/lib/api/route';
import { previewNext } from '@/lib/insight/policy-preview/preview-policy';
import { commandPolicySchema, policyPreviewSchema } from '@/lib/insight/policy-preview/schema';
import { LONGEST_YAML } from '@/lib/projects/document/yaml';

const versionSchema = z.number().int().positive().max(2_147_483_647);

const bodySchema = z.object({
  baseVersion: versionSchema,
  next: z.union([
    z.object({ policy: commandPolicySchema }),
    z.object({ version: versionSchema }),
    z.object({ text: z.string().max(LONGEST_YAML) }),
  ]),
});

/**
 * What the next version changes about the commands of the last 30 days. A route, since a server
 * action would hold back the save until it has answered. It changes nothing, so viewers may look.
 */
export const POST = route({
  method: 'POST',
  path: '/{orgSlug}/projects/{projectSlug}/policy-preview',
  summary: 'Show what the next version would change about recent commands; saves nothing',
  auth: 'session',
  params: z.object({ orgSlug: z.string(), projectSlug: z.string() }),
  body: bodySchema,
  response: policyPreviewSchema,
  status: 200,
  // UTF-8 and JSON make a file longer.
  maxBodyBytes: 4 * LONGEST_YAML,
  handle: ({ scope, params, body }) =>
    previewNext(scope, { project: params.projectSlug, ...body }, tierModelsOf),
});
