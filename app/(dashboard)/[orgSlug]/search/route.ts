import { z } from 'zod';
import { route } from '@/lib/api/route';
import { textHitsSchema, textQuerySchema } from '@/lib/insight/search/schema';
import { searchText } from '@/lib/insight/search/search-text';

/** What the palette finds in stored text while somebody types. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/search',
  summary: 'Search reports, commands and numbers',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: textQuerySchema,
  response: textHitsSchema,
  handle: ({ scope, query }) => searchText(scope, query.q),
});
