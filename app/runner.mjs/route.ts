import { route } from '@/lib/api/route';
import { runnerProgram } from '@/lib/fleet/runner-program';
import { NotFoundError } from '@/lib/platform/errors';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/runner.mjs',
  summary: 'The runner as one file for Node',
  auth: 'public',
  handle: async () => {
    const program = runnerProgram();
    if (!program) throw new NotFoundError();
    return new Response(new Uint8Array(program.content), {
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
    });
  },
});
