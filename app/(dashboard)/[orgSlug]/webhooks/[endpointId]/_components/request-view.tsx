import { CodeBlock } from '@/app/_components/ui/code-block';
import { CopyButton } from '@/app/_components/ui/copy-button';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';

interface RequestViewProps {
  delivery: DeliveryDto;
  url: string;
}

/** The request of the last attempt. Its signature covers id, time and the exact body. */
export function RequestView({ delivery, url }: RequestViewProps) {
  const sent = delivery.log.at(-1)?.requestHeaders ?? null;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium text-ui">Request</h3>
        {sent ? <CopyButton value={asCurl(url, sent, delivery.body)} label="Copy as curl" /> : null}
      </div>
      {sent ? (
        <Headers first={`POST ${url}`} headers={sent} label="headers" />
      ) : (
        <p className="text-text-2 text-ui">Headers are created and signed when it is sent.</p>
      )}
      <CodeBlock label="body" value={delivery.body} className="[&_pre]:max-h-100">
        {indented(delivery.body)}
      </CodeBlock>
    </section>
  );
}

interface HeadersProps {
  /** Stands above them. */
  first: string;
  headers: Readonly<Record<string, string>>;
  label: string;
}

export function Headers({ first, headers, label }: HeadersProps) {
  const text = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(
    '\n',
  );
  return (
    <CodeBlock label={label} value={text} className="[&_pre]:max-h-60">
      {text}
    </CodeBlock>
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

/** The same request for a POSIX shell. A receiver refuses its signature after five minutes. */
export function asCurl(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-raw ${quoted(body)}`,
  ];
  return lines.join(' \\\n');
}

/** In single quotes nothing means anything but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
