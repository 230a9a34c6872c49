import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { route } from '@/lib/api/route';
import { NotFoundError } from '@/lib/platform/errors';
import { docPicture } from '../../_pages/pages';

export const dynamic = 'force-dynamic';

/** Answers a picture of `docs/images`. Its name has letters, digits and hyphens only. */
export const GET = route({
  method: 'GET',
  path: '/docs/images/{name}',
  summary: 'A picture of the manual',
  auth: 'public',
  params: z.object({ name: z.string() }),
  handle: async ({ params: { name } }) => {
    if (docPicture(`images/${name}`) === null) throw new NotFoundError();
    const file = path.join(process.cwd(), 'docs', 'images', name);
    const picture = await readFile(file).catch(() => {
      throw new NotFoundError();
    });
    return new Response(new Uint8Array(picture), {
      headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' },
    });
  },
});
