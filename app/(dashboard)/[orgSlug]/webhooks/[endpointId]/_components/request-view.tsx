import { CodeBlock } from '@/app/_components/ui/code-block';
import type { DeliveryDto } from '@/lib/webhooks/deliveries/schema';

interface RequestViewProps {
  delivery: DeliveryDto;
  url: string;
}

/** The request as the receiver gets it. The signature covers id, time and the exact body. */
export function RequestView({ delivery, url }: RequestViewProps) {
  const last = delivery.log.at(-1);
  const timestamp = last ? Math.floor(Date.parse(last.at) / 1_000) : null;
  const headers = [
    `POST ${url}`,
    'content-type: application/json',
    'user-agent: Tierwatch-Webhooks/1',
    `webhook-id: ${delivery.id}`,
    timestamp === null
      ? 'webhook-timestamp: (made when it is sent)'
      : `webhook-timestamp: ${timestamp}`,
    'webhook-signature: v1,… (not kept)',
  ].join('\n');
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-ui">Request</h3>
      <CodeBlock label="headers" value={headers}>
        {headers}
      </CodeBlock>
      <CodeBlock label="body" value={delivery.body} className="[&_pre]:max-h-100">
        {indented(delivery.body)}
      </CodeBlock>
    </section>
  );
}

/** For reading only: what is copied and signed is the body itself. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
