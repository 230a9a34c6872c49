/** An OpenTelemetry backend on loopback: takes OTLP over HTTP in protocol buffers, as collectors do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { doubleOf, type Fields, hexOf, messagesOf, numberOf, readFields, textOf } from './protobuf';

type Attributes = Record<string, string | number | boolean>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for a root. */
  parentSpanId: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'other';
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  links: { traceId: string; spanId: string; attributes: Attributes }[];
  isError: boolean;
  resource: Attributes;
  scope: string;
}

export interface ReceivedMetric {
  name: string;
  unit: string;
  description: string;
  kind: 'gauge' | 'sum' | 'histogram';
  isMonotonic: boolean;
  isCumulative: boolean;
  points: { attributes: Attributes; value: number; count: number; buckets: number[] }[];
  resource: Attributes;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  requests: { path: string; headers: Record<string, string | string[] | undefined> }[];
  /** What is answered from now on, 200 at first; null: nothing. */
  answer(status: number | null): void;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  let status: number | null = 200;
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const requests: OtlpReceiver['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      requests.push({ path: url, headers });
      const sent = Buffer.concat(chunks);
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      if (status === 200 && url.endsWith('/v1/traces')) spans.push(...readSpans(body));
      if (status === 200 && url.endsWith('/v1/metrics')) metrics.push(...readMetricsOf(body));
      if (status === null) return;
      response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    requests,
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readSpans(body: Uint8Array): ReceivedSpan[] {
  return messagesOf(readFields(body), 1).flatMap((resourceSpans) => {
    const resource = resourceOf(resourceSpans);
    return messagesOf(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = messagesOf(scopeSpans, 1).map((each) => textOf(each, 1))[0] ?? '';
      return messagesOf(scopeSpans, 2).map((span) => spanOf(span, resource, scope));
    });
  });
}

const KINDS = ['other', 'internal', 'server', 'client'] as const;
const ERROR = 2n;

function spanOf(span: Fields, resource: Attributes, scope: string): ReceivedSpan {
  return {
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentSpanId: hexOf(span, 4),
    name: textOf(span, 5),
    kind: KINDS[Number(numberOf(span, 6))] ?? 'other',
    startedAt: Number(numberOf(span, 7) / 1_000_000n),
    endedAt: Number(numberOf(span, 8) / 1_000_000n),
    attributes: attributesOf(span, 9),
    links: messagesOf(span, 13).map((link) => ({
      traceId: hexOf(link, 1),
      spanId: hexOf(link, 2),
      attributes: attributesOf(link, 4),
    })),
    isError: messagesOf(span, 15).some((each) => numberOf(each, 3) === ERROR),
    resource,
    scope,
  };
}

function readMetricsOf(body: Uint8Array): ReceivedMetric[] {
  return messagesOf(readFields(body), 1).flatMap((resourceMetrics) =>
    messagesOf(resourceMetrics, 2).flatMap((scopeMetrics) =>
      messagesOf(scopeMetrics, 2).map((metric) => metricOf(metric, resourceOf(resourceMetrics))),
    ),
  );
}

const METRIC_KINDS = [
  { field: 5, kind: 'gauge' },
  { field: 7, kind: 'sum' },
  { field: 9, kind: 'histogram' },
] as const;
const CUMULATIVE = 2n;

function metricOf(metric: Fields, resource: Attributes): ReceivedMetric {
  const found = METRIC_KINDS.find(({ field }) => metric.has(field));
  const data = found && messagesOf(metric, found.field)[0];
  if (!found || !data) throw new Error('A metric of a kind that is not known.');
  return {
    name: textOf(metric, 1),
    description: textOf(metric, 2),
    unit: textOf(metric, 3),
    kind: found.kind,
    isCumulative: numberOf(data, 2) === CUMULATIVE,
    isMonotonic: found.kind === 'sum' && numberOf(data, 3) === 1n,
    points: messagesOf(data, 1).map((point) => pointOf(point, found.kind)),
    resource,
  };
}

function pointOf(point: Fields, kind: ReceivedMetric['kind']): ReceivedMetric['points'][number] {
  if (kind === 'histogram') {
    const packed = point.get(6) ?? [];
    const buckets = packed.flatMap((value) =>
      value instanceof Uint8Array ? packedFixed64(value) : [Number(value)],
    );
    return {
      attributes: attributesOf(point, 9),
      value: doubleOf(point, 5),
      count: Number(numberOf(point, 4)),
      buckets,
    };
  }
  const value = point.has(4) ? doubleOf(point, 4) : Number(BigInt.asIntN(64, numberOf(point, 6)));
  return { attributes: attributesOf(point, 7), value, count: 0, buckets: [] };
}

function packedFixed64(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 8 }, (_none, index) =>
    Number(view.getBigUint64(index * 8, true)),
  );
}

function resourceOf(fields: Fields): Attributes {
  const [resource] = messagesOf(fields, 1);
  return resource ? attributesOf(resource, 1) : {};
}

function attributesOf(fields: Fields, field: number): Attributes {
  return Object.fromEntries(
    messagesOf(fields, field).map((pair) => [textOf(pair, 1), anyValue(messagesOf(pair, 2)[0])]),
  );
}

function anyValue(value: Fields | undefined): string | number | boolean {
  if (!value || value.has(1)) return value ? textOf(value, 1) : '';
  if (value.has(2)) return numberOf(value, 2) === 1n;
  if (value.has(3)) return Number(BigInt.asIntN(64, numberOf(value, 3)));
  return doubleOf(value, 4);
}
