import { pauseBodySchema, tierParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getProject } from '@/lib/projects/manage-project';
import { pauseTier, resumeTier } from '@/lib/projects/pauses';
import { projectDtoSchema } from '@/lib/projects/view';

const shared = {
  path: '/api/v1/projects/{projectId}/tiers/{tier}/pause',
  auth: 'apiKey',
  scopes: ['projects:write'],
  params: tierParams,
  response: projectDtoSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Pause a tier of a project: it starts no sessions',
  body: pauseBodySchema,
  handle: ({ scope, params, body }) =>
    pauseTier(scope, { project: params.projectId, tier: params.tier }, body),
  answerAgain: ({ scope, params }) => getProject(scope, params.projectId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Resume a tier: it starts sessions again',
  handle: ({ scope, params }) =>
    resumeTier(scope, { project: params.projectId, tier: params.tier }),
});
