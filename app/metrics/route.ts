import { route } from '@/lib/api/route';
import { clientAddress, isForwardedRequest } from '@/lib/platform/http/client-address';
import { answerScrape } from '@/lib/telemetry/metrics/scrape';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/metrics',
  summary:
    'Read the metrics of the web process, and those of the installation, in Prometheus’ text format',
  auth: 'public',
  handle: async ({ request: { headers } }) => {
    const { status, body, ...answer } = await answerScrape(
      {
        authorization: headers.get('authorization'),
        peer: clientAddress(headers),
        host: headers.get('host'),
        isForwarded: isForwardedRequest(headers),
      },
      headers.get('x-prometheus-scrape-timeout-seconds'),
      { hasState: true },
    );
    return new Response(body, { status, headers: answer.headers });
  },
});
