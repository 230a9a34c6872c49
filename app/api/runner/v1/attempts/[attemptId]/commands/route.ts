import { z } from 'zod';
import { route } from '@/lib/api/route';
import { authorizeCommand } from '@/lib/engine/commands/authorize';
import { NotFoundError } from '@/lib/platform/errors';
import {
  authorizeCommandRequestSchema,
  authorizeCommandResponseSchema,
} from '@/lib/protocol/commands';
import { MAX_BODY_BYTES } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/commands',
  summary: 'Ask whether a command that may change something may run now',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  params: z.object({ attemptId: z.uuid() }),
  body: authorizeCommandRequestSchema,
  response: authorizeCommandResponseSchema,
  async handle({ scope, params, body }) {
    const answer = await authorizeCommand(scope, params.attemptId, body);
    if (!answer) throw new NotFoundError('There is no such attempt of this runner.');
    return answer;
  },
});
