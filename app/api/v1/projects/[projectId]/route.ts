import { tierModelsOf } from '@/lib/agents/registry';
import { projectParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { patchProject } from '@/lib/projects/apply-document';
import { projectPatchSchema } from '@/lib/projects/document/schema';
import { getProject } from '@/lib/projects/manage-project';
import { projectDtoSchema, savedProjectSchema } from '@/lib/projects/view';

const shared = {
  path: '/api/v1/projects/{projectId}',
  auth: 'apiKey',
  params: projectParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get a project by id or slug',
  scopes: ['projects:read'],
  response: projectDtoSchema,
  handle: ({ scope, params }) => getProject(scope, params.projectId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Update the given fields: objects merge, lists are replaced, tiers merge by number',
  scopes: ['projects:write'],
  body: projectPatchSchema,
  response: savedProjectSchema,
  handle: ({ scope, params, body }) => patchProject(scope, params.projectId, body, tierModelsOf),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete a project with its chains and sessions',
  scopes: ['projects:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteProject(scope, params.projectId);
    return undefined;
  },
});
