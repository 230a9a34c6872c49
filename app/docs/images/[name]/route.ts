import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { docPicture } from '../../_pages/pages';

export const dynamic = 'force-dynamic';

interface PictureContext {
  params: Promise<{ name: string }>;
}

/** Answers a picture of `docs/images`, by names of letters, digits and hyphens only. */
export async function GET(_request: Request, { params }: PictureContext): Promise<Response> {
  const { name } = await params;
  if (docPicture(`images/${name}`) === null) return new Response(null, { status: 404 });
  try {
    const picture = await readFile(path.join(process.cwd(), 'docs', 'images', name));
    return new Response(new Uint8Array(picture), {
      headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' },
    });
  } catch {
    return new Response(null, { status: 404 });
  }
}
