import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordExport } from '@/lib/identity/audit/record-audit';
import { readClient } from '@/lib/platform/http/client-address';
import { exportProject } from '@/lib/projects/file';

/** The active settings as a file, for `tierwatch project apply` and for a repository. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/projects/{projectSlug}/project.yaml',
  summary: 'The settings of a project as YAML',
  auth: 'session',
  params: z.object({ orgSlug: z.string(), projectSlug: z.string() }),
  handle: async ({ request, scope, params: { projectSlug } }) => {
    const yaml = await exportProject(scope, projectSlug);
    await recordExport(scope, readClient(request.headers), 'project', { slug: projectSlug });
    return new Response(yaml, {
      headers: {
        'content-type': 'application/yaml; charset=utf-8',
        'content-disposition': `attachment; filename="${projectSlug}.yaml"`,
        'cache-control': 'no-store',
      },
    });
  },
});
