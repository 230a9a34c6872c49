import { z } from 'zod';
import { route } from '@/lib/api/route';
import { placesSchema } from '@/lib/insight/search/schema';
import { listPlaces } from '@/lib/insight/search/search-text';

/** What the palette finds by name, loaded when it opens. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/search/places',
  summary: 'Services, runners and people by name',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  response: placesSchema,
  handle: ({ scope }) => listPlaces(scope),
});
