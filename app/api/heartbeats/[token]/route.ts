import { z } from 'zod';
import { route } from '@/lib/api/route';
import { acceptPing } from '../accept-ping';

/** Public: the token in the URL decides. */
const shared = {
  path: '/api/heartbeats/{token}',
  summary: 'Report that a job succeeded',
  auth: 'public',
  params: z.object({ token: z.string() }),
  status: 200,
} as const;

interface PingRequest {
  request: Request;
  params: { token: string };
}

const handle = ({ request, params }: PingRequest) => acceptPing(request, params.token, null);

export const GET = route({ ...shared, method: 'GET', handle });

export const POST = route({ ...shared, method: 'POST', handle });
