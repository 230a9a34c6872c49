import { z } from 'zod';
import { route } from '@/lib/api/route';
import { exportProject } from '@/lib/projects/file';

/** The active settings as a file, for `tierwatch project apply` and for a repository. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/projects/{projectSlug}/project.yaml',
  summary: 'The settings of a project as YAML',
  auth: 'session',
  params: z.object({ orgSlug: z.string(), projectSlug: z.string() }),
  handle: async ({ scope, params }) =>
    new Response(await exportProject(scope, params.projectSlug), {
      headers: {
        'content-type': 'application/yaml; charset=utf-8',
        'content-disposition': `attachment; filename="${params.projectSlug}.yaml"`,
        'cache-control': 'no-store',
      },
    }),
});
