import { z } from 'zod';
import { route } from '@/lib/api/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/healthz',
  summary: 'Check that the web process is up',
  auth: 'public',
  response: z.object({ status: z.literal('ok') }),
  handle: async () => ({ status: 'ok' as const }),
});
