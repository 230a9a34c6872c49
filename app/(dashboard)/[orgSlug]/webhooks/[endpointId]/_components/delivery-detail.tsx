import { NextTry } from '@/app/_components/deliveries/next-try';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { cn } from '@/app/_components/ui/cn';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { CopyButton, CopyId } from '@/app/_components/ui/copy-button';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { TextLink } from '@/app/_components/ui/link';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { formatDuration } from '@/lib/platform/format/duration';
import { ReplayDelivery } from './delivery-acts';
import { attemptResult, deliveryDetail, deliverySentence } from './delivery-words';

interface DeliveryDetailProps {
  organizationSlug: string;
  delivery: DeliveryDto;
  url: string;
  host: string;
  /** The chain it is about, where there is one. */
  chain: { href: string; label: string } | null;
  /** Why it cannot be replayed now. */
  replayRefusal: string | null;
  now: Date;
}

export function DeliveryDetail(props: DeliveryDetailProps) {
  const { organizationSlug, delivery, url, host, chain, replayRefusal, now } = props;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-start gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <StatusBadge kind="delivery" state={delivery.status} detail={deliveryDetail(delivery)} />
          <code className="text-code">{delivery.eventType}</code>
        </div>
        {/* Told to screen readers when it changes, since it does so by itself. */}
        <p role="status" className="break-words">
          {deliverySentence(delivery, host, now)}
          {delivery.status === 'retrying' && delivery.nextAttemptAt ? (
            <span className="text-text-2">
              {' '}
              (<NextTry at={delivery.nextAttemptAt} />)
            </span>
          ) : null}
        </p>
        <ReplayDelivery
          key={delivery.id}
          organizationSlug={organizationSlug}
          deliveryId={delivery.id}
          refusal={replayRefusal}
        />
      </div>
      <DefinitionList
        items={[
          { term: 'Id', value: <CopyId id={delivery.id} label="delivery id" /> },
          {
            term: 'About',
            value: chain ? <TextLink href={chain.href}>{chain.label}</TextLink> : 'A test event',
          },
          { term: 'Created', value: <Time at={delivery.createdAt} form="day" /> },
        ]}
      />
      <AttemptList attempts={delivery.log} />
      <RequestView delivery={delivery} url={url} />
    </div>
  );
}

type Attempt = DeliveryDto['log'][number];

/** Newest first, the newest with its answer open. */
function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  const newest = attempts.at(-1)?.number;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-ui">
        Attempts <span className="text-text-3 tabular-nums">{attempts.length}</span>
      </h3>
      <ol reversed className="border-line border-y">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number} className="border-line border-t first:border-t-0">
            <details open={attempt.number === newest}>
              <summary className="flex min-h-row cursor-pointer flex-wrap items-center gap-x-3 text-ui tabular-nums -outline-offset-2 hover:bg-hover">
                <span className="text-text-3">{attempt.number}</span>
                <span className={cn('font-medium', !isSuccess(attempt) && 'text-bad-fg')}>
                  {attemptResult(attempt)}
                </span>
                <span className="text-text-2">{formatDuration(attempt.durationMs)}</span>
                <span className="ml-auto text-meta text-text-3">
                  <Time at={attempt.at} isPlain />
                </span>
              </summary>
              <div className="pb-3">
                <Answer attempt={attempt} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Answer({ attempt }: { attempt: Attempt }) {
  const { error, responseExcerpt, responseHeaders } = attempt;
  if (error)
    return <p className="text-text-2 text-ui">{responseExcerpt || attemptResult(attempt)}</p>;
  return (
    <div className="flex flex-col gap-2">
      {responseHeaders ? (
        <Headers
          first={`HTTP ${attempt.status}`}
          headers={responseHeaders}
          label="headers of the answer"
        />
      ) : null}
      {responseExcerpt === '' ? (
        <p className="text-text-2 text-ui">An empty answer.</p>
      ) : (
        <CodeBlock label="answer" value={responseExcerpt} className="[&_pre]:max-h-60">
          {responseExcerpt}
        </CodeBlock>
      )}
    </div>
  );
}

function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

interface RequestViewProps {
  delivery: DeliveryDto;
  url: string;
}

/** The request of the last attempt. Its signature covers id, time and the exact body. */
function RequestView({ delivery, url }: RequestViewProps) {
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

function Headers({ first, headers, label }: HeadersProps) {
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
