import type { TenantScope } from '@/lib/platform/db/scope';
import { eventText } from '../event-text';
import { getSession } from './get-session';
import { listEvents } from './list-events';

const BATCH = 500;

/**
 * The whole log as a text file, read page by page while it is sent.
 *
 * @throws NotFoundError before the answer begins
 */
export async function writeLog(
  scope: TenantScope,
  reference: { project: string; number: number },
): Promise<Response> {
  const session = await getSession(scope, reference);
  const encoder = new TextEncoder();
  let after = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = await listEvents(scope, session.id, { after, limit: BATCH });
      const text = page.events.map(eventText).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
      after = page.events.at(-1)?.seq ?? after;
      if (page.events.length < BATCH) controller.close();
    },
  });
  const name = `${session.project.slug}-session-${session.number}.txt`;
  return new Response(body, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}
