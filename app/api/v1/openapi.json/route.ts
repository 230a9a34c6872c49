import { openApiDocument } from '@/lib/api/document/openapi';
import { route } from '@/lib/api/route';
import { env } from '@/lib/platform/env';
import { allRoutes } from './all-routes';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'Get this document',
  auth: 'public',
  handle: async () => Response.json(openApiDocument(allRoutes(), env().publicUrl)),
});
