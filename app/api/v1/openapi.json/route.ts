import { openApiDocument } from '@/lib/api/openapi';
import { type RouteHandler, route } from '@/lib/api/route';
import { DESCRIPTIONS } from '@/lib/operations/registry';
import { env } from '@/lib/platform/env';

export const dynamic = 'force-dynamic';

export const GET: RouteHandler = route({
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'Get this document',
  auth: 'public',
  handle: async () =>
    Response.json(openApiDocument([...DESCRIPTIONS, GET.description], env().publicUrl)),
});
