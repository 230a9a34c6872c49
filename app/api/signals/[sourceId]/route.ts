import { z } from 'zod';
import { route } from '@/lib/api/route';
import { receiveSignals } from '@/lib/signals/receive-signals';

/** Public: the token or the signature of the source decides, which the service compares. */
const shared = {
  path: '/api/signals/{sourceId}',
  summary: 'Accept alerts of a source',
  auth: 'public',
  params: z.object({ sourceId: z.string() }),
  response: z.object({ id: z.string(), status: z.literal('accepted') }),
  status: 202,
} as const;

async function accept({ request, params }: { request: Request; params: { sourceId: string } }) {
  const { id } = await receiveSignals(request, params.sourceId);
  return { id, status: 'accepted' as const };
}

export const POST = route({ ...shared, method: 'POST', handle: accept });

/** Grafana can be configured to send PUT. */
export const PUT = route({ ...shared, method: 'PUT', handle: accept });
