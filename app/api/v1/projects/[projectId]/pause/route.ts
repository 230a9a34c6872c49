import { pauseBodySchema, projectParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getProject } from '@/lib/projects/manage-project';
import { pauseProject, resumeProject } from '@/lib/projects/pauses';
import { projectDtoSchema } from '@/lib/projects/view';

const shared = {
  path: '/api/v1/projects/{projectId}/pause',
  auth: 'apiKey',
  scopes: ['projects:write'],
  params: projectParams,
  response: projectDtoSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Pause a project: nothing new starts',
  body: pauseBodySchema,
  handle: ({ scope, params, body }) => pauseProject(scope, params.projectId, body),
  answerAgain: ({ scope }, target) => getProject(scope, target),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Resume a project: it starts chains again',
  handle: ({ scope, params }) => resumeProject(scope, params.projectId),
});
