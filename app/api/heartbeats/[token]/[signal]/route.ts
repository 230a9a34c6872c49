import { z } from 'zod';
import { route } from '@/lib/api/route';
import { acceptPing } from '../../accept-ping';

/** Public: the token in the URL decides. */
const shared = {
  path: '/api/heartbeats/{token}/{signal}',
  summary: 'Report that a job started, failed or ended with an exit code',
  auth: 'public',
  params: z.object({ token: z.string(), signal: z.string() }),
  status: 200,
} as const;

interface PingRequest {
  request: Request;
  params: { token: string; signal: string };
}

const handle = ({ request, params: { token, signal } }: PingRequest) =>
  acceptPing(request, token, signal);

export const GET = route({ ...shared, method: 'GET', handle });

export const POST = route({ ...shared, method: 'POST', handle });
