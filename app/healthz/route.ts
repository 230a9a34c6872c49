import { z } from 'zod';
import { route } from '@/lib/api/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/healthz',
  summary: 'Whether the web process lives',
  auth: 'public',
  response: z.object({ status: z.literal('ok') }),
  handle: async () => ({ status: 'ok' as const }),
});
