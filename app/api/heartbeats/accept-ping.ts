import { pingOf, receivePing } from '@/lib/monitoring/receive-ping';
import { HttpError } from '@/lib/platform/http/problem';

/**
 * Stores a ping, and answers it once it is stored. Next passes HEAD to the handler of GET: link previews and
 * crawlers send it, and it never counts.
 *
 * @param signal the end of the URL behind the token; null for none
 * @throws HttpError 405 for HEAD, and what `receivePing` throws
 */
export async function acceptPing(
  { method }: Request,
  token: string,
  signal: string | null,
): Promise<Response> {
  if (method === 'HEAD') {
    throw new HttpError(405, 'HEAD is no ping. Use GET or POST.', { allow: 'GET, POST' });
  }
  // Tools that speak Healthchecks' protocol send notes there, which say nothing about the job.
  if (signal !== 'log') {
    await receivePing(token, pingOf(signal, new Date()), method === 'POST' ? 'POST' : 'GET');
  }
  return new Response('OK\n', {
    headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  });
}
