import { z } from 'zod';
import { route } from '@/lib/api/route';
import { pingOf, receivePing } from '@/lib/monitoring/receive-ping';

/** Public: the token in the URL decides. Next answers HEAD as it answers GET. */
const shared = {
  path: '/api/heartbeats/{token}/{signal}',
  summary: 'Report that a job started, failed or ended with an exit code',
  auth: 'public',
  params: z.object({ token: z.string(), signal: z.string() }),
  status: 200,
} as const;

async function ping({ params: { token, signal } }: { params: { token: string; signal: string } }) {
  await receivePing(token, pingOf(signal, new Date()));
  return new Response('OK\n', {
    headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  });
}

export const GET = route({ ...shared, method: 'GET', handle: ping });

export const POST = route({ ...shared, method: 'POST', handle: ping });
