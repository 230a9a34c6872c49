import { route } from '@/lib/api/route';
import { runnerProgram } from '@/lib/fleet/runner-program';
import { NotFoundError } from '@/lib/platform/errors';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/runner.mjs.sha256',
  summary: 'The checksum of the runner’s file, as sha256sum --check reads it',
  auth: 'public',
  handle: async () => {
    const program = runnerProgram();
    if (!program) throw new NotFoundError();
    return new Response(`${program.sha256}  runner.mjs\n`, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
    });
  },
});
