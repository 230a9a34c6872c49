import { tierModelsOf } from '@/lib/agents/registry';
import { route } from '@/lib/api/route';
import { canPoolConfine, poolForNewProject } from '@/lib/fleet/manage-runners';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { createFromDocument } from '@/lib/projects/apply-document';
import { projectDocumentSchema } from '@/lib/projects/document/schema';
import { getProject, listProjects } from '@/lib/projects/manage-project';
import { projectDtoSchema, savedProjectSchema } from '@/lib/projects/view';

const path = '/api/v1/projects';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List projects, newest first',
  auth: 'apiKey',
  scopes: ['projects:read'],
  query: pageQuerySchema,
  response: pageSchema(projectDtoSchema),
  handle: ({ scope, query }) => listProjects(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create a project; omitted fields get safe defaults',
  auth: 'apiKey',
  scopes: ['projects:write'],
  body: projectDocumentSchema,
  response: savedProjectSchema,
  handle: async ({ scope, body }) => {
    const runnerPool = body.runnerPool ?? (await poolForNewProject(scope));
    const canConfine = await canPoolConfine(scope, runnerPool);
    return createFromDocument(scope, { ...body, runnerPool }, { tierModelsOf, canConfine });
  },
  answerAgain: async ({ scope }, target) => ({
    ...(await getProject(scope, target)),
    warnings: [],
  }),
});
