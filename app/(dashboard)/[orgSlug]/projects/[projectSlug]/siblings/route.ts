import { z } from 'zod';
import { route } from '@/lib/api/route';
import { getSiblings, siblingsQuerySchema, siblingsSchema } from '@/lib/insight/siblings';

/** What the keys `[` and `]` lead to from a chain or a session. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/projects/{projectSlug}/siblings',
  summary: 'The numbers before and after a chain or session',
  auth: 'session',
  params: z.object({ orgSlug: z.string(), projectSlug: z.string() }),
  query: siblingsQuerySchema,
  response: siblingsSchema,
  handle: ({ scope, params, query }) => getSiblings(scope, params.projectSlug, query),
});
