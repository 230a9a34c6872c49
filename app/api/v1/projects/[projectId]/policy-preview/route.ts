import { tierModelsOf } from '@/lib/agents/registry';
import { projectParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { previewPatch } from '@/lib/insight/policy-preview/preview-policy';
import { policyPreviewSchema } from '@/lib/insight/policy-preview/schema';
import { projectPatchSchema } from '@/lib/projects/document/schema';

export const POST = route({
  path: '/api/v1/projects/{projectId}/policy-preview',
  auth: 'apiKey',
  params: projectParams,
  method: 'POST',
  summary: 'Show what an update would change about the commands of the last 30 days; saves nothing',
  scopes: ['projects:write'],
  body: projectPatchSchema,
  response: policyPreviewSchema,
  status: 200,
  handle: ({ scope, params, body }) => previewPatch(scope, params.projectId, body, tierModelsOf),
});
