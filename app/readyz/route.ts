import { route } from '@/lib/api/route';
import { checkReadiness } from '@/lib/platform/health';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/readyz',
  summary: 'Check that the database, the queue, a worker and the lease clock are up',
  auth: 'public',
  handle: async () => {
    const readiness = await checkReadiness();
    return Response.json(readiness, {
      status: readiness.status === 'ready' ? 200 : 503,
      headers: { 'cache-control': 'no-store' },
    });
  },
});
