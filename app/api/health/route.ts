import { route } from '@/lib/api/route';
import { env } from '@/lib/platform/env';
import { clientAddress, isForwardedRequest } from '@/lib/platform/http/client-address';
import { logger } from '@/lib/platform/logger';
import { within } from '@/lib/platform/within';
import { isLoopback, refusalOfMetrics } from '@/lib/telemetry/metrics/access';
import { listInstallationProblems, type ProblemDto } from '@/lib/watchdog/get-health';
import { waitsForHosts } from '@/lib/watchdog/judge';

export const dynamic = 'force-dynamic';

/** What stops the product itself, and not only hosts of organizations. */
const CRITICAL: readonly ProblemDto['component'][] = ['web', 'worker', 'job', 'queue'];

export const GET = route({
  method: 'GET',
  path: '/api/health',
  summary:
    'Check whether the installation has problems; with the metrics’ token, or from its own machine, read which',
  auth: 'public',
  handle: async ({ request: { headers } }) => {
    const found = await problems();
    const open = found?.filter(({ until }) => until === null) ?? [];
    const isDown =
      found === null ||
      open.some((each) => CRITICAL.includes(each.component) && !waitsForHosts(each));
    const status = found === null ? 'unknown' : open.length > 0 ? 'problems' : 'ok';
    const { metrics, publicUrl } = env();
    const refusal = refusalOfMetrics(
      {
        authorization: headers.get('authorization'),
        peer: clientAddress(headers),
        host: headers.get('host'),
        isForwarded: isForwardedRequest(headers),
      },
      { token: metrics.token, isLocal: isLoopback(new URL(publicUrl).hostname) },
    );
    const body = refusal === null && found !== null ? { status, problems: found } : { status };
    return Response.json(body, {
      status: isDown ? 503 : 200,
      headers: { 'cache-control': 'no-store' },
    });
  },
});

const ANSWER_WITHIN_MS = 1_500;
let reading: Promise<ProblemDto[]> | null = null;

/** One read answers all requests that come meanwhile: of a database that hangs, anyone could take every connection. */
function readOnce(): Promise<ProblemDto[]> {
  reading ??= listInstallationProblems().finally(() => {
    reading = null;
  });
  return reading;
}

/** Null while they can't be read. */
async function problems(): Promise<ProblemDto[] | null> {
  try {
    return await within(ANSWER_WITHIN_MS, readOnce());
  } catch (error) {
    logger.warn({ error: String(error) }, 'problems of the installation not read');
    return null;
  }
}
