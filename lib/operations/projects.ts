import { tierModelsOf } from '@/lib/agents/registry';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { canPoolConfine, poolForNewProject } from '@/lib/fleet/manage-runners';
import { previewPatch } from '@/lib/insight/policy-preview/preview-policy';
import { policyPreviewSchema } from '@/lib/insight/policy-preview/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { createFromDocument, patchProject } from '@/lib/projects/apply-document';
import { projectDocumentSchema, projectPatchSchema } from '@/lib/projects/document/schema';
import { getProject, listProjects } from '@/lib/projects/manage-project';
import { pauseProject, pauseTier, resumeProject, resumeTier } from '@/lib/projects/pauses';
import { projectDtoSchema, savedProjectSchema } from '@/lib/projects/view';
import { pauseBodySchema, tierParams } from './bodies';
import { operation } from './operation';

export const pause = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/pause',
  summary: 'Pause a project: nothing new starts',
  act: 'project.pause',
  scopes: ['projects:write'],
  status: 200,
  body: pauseBodySchema,
  example: { reason: 'Migration until 18:00' },
  response: projectDtoSchema,
  run: ({ scope, params, body }) => pauseProject(scope, params.projectId, body),
  answerAgain: ({ scope }, target) => getProject(scope, target),
});

export const resume = operation({
  method: 'DELETE',
  path: '/api/v1/projects/{projectId}/pause',
  summary: 'Resume a project: it starts chains again',
  act: 'project.pause',
  scopes: ['projects:write'],
  response: projectDtoSchema,
  run: ({ scope, params }) => resumeProject(scope, params.projectId),
});

export const previewPolicy = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/policy-preview',
  summary: 'Show what an update would change about the commands of the last 30 days; saves nothing',
  act: 'organization.read',
  scopes: ['projects:write'],
  status: 200,
  body: projectPatchSchema,
  example: {
    tiers: [{ tier: 2, allowedTools: ['Bash(docker restart web)'] }],
  },
  response: policyPreviewSchema,
  run: ({ scope, params, body }) => previewPatch(scope, params.projectId, body, tierModelsOf),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/projects/{projectId}',
  summary: 'Get a project by id or slug',
  act: 'organization.read',
  scopes: ['projects:read'],
  response: projectDtoSchema,
  run: ({ scope, params }) => getProject(scope, params.projectId),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/projects/{projectId}',
  summary: 'Update the given fields: objects merge, lists are replaced, tiers merge by number',
  act: 'project.change',
  scopes: ['projects:write'],
  body: projectPatchSchema,
  example: {
    maxTier: 2,
    tiers: [{ tier: 2, allowedTools: ['Bash(docker restart web)', 'Bash(docker ps:*)'] }],
  },
  response: savedProjectSchema,
  refusals: { 409: 'Someone else saved the project at the same time.' },
  run: ({ scope, params, body }) => patchProject(scope, params.projectId, body, tierModelsOf),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/projects/{projectId}',
  summary: 'Delete a project with its chains and sessions',
  act: 'project.delete',
  scopes: ['projects:write'],
  refusals: { 409: 'A chain of the project is still running.' },
  run: ({ scope, params }) => deleteProject(scope, params.projectId),
});

export const pauseOneTier = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/tiers/{tier}/pause',
  summary: 'Pause a tier of a project: it starts no sessions',
  act: 'tier.pause',
  scopes: ['projects:write'],
  status: 200,
  params: tierParams,
  body: pauseBodySchema,
  example: { reason: 'Freeze before the launch' },
  response: projectDtoSchema,
  run: ({ scope, params, body }) =>
    pauseTier(scope, { project: params.projectId, tier: params.tier }, body),
  answerAgain: ({ scope, params }) => getProject(scope, params.projectId),
});

export const resumeOneTier = operation({
  method: 'DELETE',
  path: '/api/v1/projects/{projectId}/tiers/{tier}/pause',
  summary: 'Resume a tier: it starts sessions again',
  act: 'tier.pause',
  scopes: ['projects:write'],
  params: tierParams,
  response: projectDtoSchema,
  run: ({ scope, params }) => resumeTier(scope, { project: params.projectId, tier: params.tier }),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/projects',
  summary: 'List projects, newest first',
  act: 'organization.read',
  scopes: ['projects:read'],
  query: pageQuerySchema,
  response: pageSchema(projectDtoSchema),
  run: ({ scope, query }) => listProjects(scope, query),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/projects',
  summary: 'Create a project; omitted fields get safe defaults',
  act: 'project.create',
  scopes: ['projects:write'],
  body: projectDocumentSchema,
  example: {
    name: 'Checkout',
    services: [
      { name: 'web', checks: [{ type: 'http', target: 'https://shop.example.com/health' }] },
    ],
    schedule: { kind: 'interval', everySeconds: 600 },
  },
  response: savedProjectSchema,
  run: async ({ scope, body }) => {
    const runnerPool = body.runnerPool ?? (await poolForNewProject(scope));
    const canConfine = await canPoolConfine(scope, runnerPool);
    return createFromDocument(scope, { ...body, runnerPool }, { tierModelsOf, canConfine });
  },
  answerAgain: async ({ scope }, target) => ({
    ...(await getProject(scope, target)),
    warnings: [],
  }),
});
