/** What this process exports by OTLP, where OTEL_EXPORTER_OTLP_ENDPOINT is set. */

import { randomUUID } from 'node:crypto';
import type { Span } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import type { Component } from '@/lib/platform/metrics/registry';
import { productVersion } from '@/lib/platform/product-version';
import { within } from '@/lib/platform/within';
import { toMetricData } from './metrics/metric-data';
import { readRegistries } from './metrics/scrape';
import { chainQueue, type EndedChain } from './traces/export-chain';
import type { ExportQueue } from './traces/export-queue';
import type { TraceExporter, TraceSpan } from './traces/span';

/** A process that ends waits no longer for what it still has to export. */
export const FLUSH_MS = 3_000;

interface Exporting {
  /** Null where traces aren't exported. */
  chains: ExportQueue<EndedChain> | null;
  shutdown(): Promise<void>;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchExporting?: Exporting };

/**
 * Starts to export what the installation wants exported. A failure is logged: it costs the exports, not the
 * process.
 *
 * @returns the queue of chains whose traces are exported; null if none are
 */
export function startExporting(component: Component): ExportQueue<EndedChain> | null {
  const { openTelemetry } = env();
  if (!openTelemetry) return null;
  held.tierwatchExporting ??= start(component, openTelemetry);
  return held.tierwatchExporting.chains;
}

function start(
  component: Component,
  wanted: NonNullable<ReturnType<typeof env>['openTelemetry']>,
): Exporting {
  const sdk = loadSdk(component);
  const traces = sdk.then(({ resource }) => otlpTraceExporter(resource));
  const metrics = sdk.then(({ resource }) =>
    wanted.exportsMetrics ? exportMetrics(resource, component, wanted.metricsEveryMs) : null,
  );
  for (const each of [traces, metrics]) {
    each.catch((error: unknown) => logger.error({ error: String(error) }, 'exports not started'));
  }
  const chains = wanted.exportsTraces ? chainQueue(() => traces) : null;
  const shutdown = async () => {
    const endTraces = async () => {
      await chains?.idle();
      await (await traces).shutdown();
    };
    await Promise.all([endTraces(), metrics.then((exporting) => exporting?.shutdown())]);
  };
  return { chains, shutdown };
}

/** Exports what is left, for 3 seconds at most, and ends the exports. Never rejects. */
export async function flushTelemetry(timeoutMs = FLUSH_MS): Promise<void> {
  const { tierwatchExporting: exporting } = held;
  delete held.tierwatchExporting;
  if (!exporting) return;
  await within(timeoutMs, exporting.shutdown()).catch((error: unknown) =>
    logger.warn({ error: String(error) }, 'telemetry not flushed'),
  );
}

// What both exporters need of the OpenTelemetry SDK, which is loaded only where something is exported. It
// isn't registered globally, so no library makes spans of its own, nothing is propagated, and no caller of
// the API chooses a trace. The exporters read the endpoint, headers, timeouts and compression from the
// OTEL_ variables themselves.

/** A backend that is away is reported once in this time. */
const COMPLAIN_EVERY_MS = 60_000;

/**
 * Loads it.
 *
 * @returns what names this process: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, or else its version,
 *   its role and an id of this start. Nothing is read of the host and its processes.
 */
async function loadSdk(component: Component): Promise<{ resource: Resource }> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const { detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  diag.setLogger(complaints(), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const own = resourceFromAttributes({
    'service.name': `tierwatch-${component}`,
    'service.version': productVersion(),
    'service.instance.id': randomUUID(),
  });
  return { resource: own.merge(detectResources({ detectors: [envDetector] })) };
}

/** What the SDK has to say, in our log and seldom. */
function complaints() {
  let quietUntil = 0;
  const complain = (message: string, ...details: unknown[]) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + COMPLAIN_EVERY_MS;
    const text = [message, ...details].map(String).join(' ').slice(0, 500);
    logger.warn({ error: text }, 'telemetry not exported');
  };
  return { error: complain, warn: complain, info() {}, debug() {}, verbose() {} };
}

/** For the gauges that describe rows, in milliseconds. */
const READ_MS = 8_000;

/**
 * Exports the metrics that a scrape of this process returns, by OTLP over HTTP.
 *
 * @returns what exports them once more and ends it
 */
async function exportMetrics(
  resource: Resource,
  component: Component,
  everyMs: number,
): Promise<{ shutdown(): Promise<void> }> {
  const { ValueType } = await import('@opentelemetry/api');
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
  const kinds = {
    sum: sdk.DataPointType.SUM,
    gauge: sdk.DataPointType.GAUGE,
    histogram: sdk.DataPointType.HISTOGRAM,
    cumulative: sdk.AggregationTemporality.CUMULATIVE,
    double: ValueType.DOUBLE,
  };
  const since = new Date(Date.now() - process.uptime() * 1_000);
  const scope = { name: 'tierwatch' };

  async function collect() {
    const registries = await readRegistries(READ_MS, { hasState: component === 'web' });
    const read = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
    const metrics = toMetricData(read.flat(), kinds, since, new Date());
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
  }

  return new sdk.MeterProvider({
    resource,
    readers: [
      new sdk.PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: everyMs,
        exportTimeoutMillis: Math.min(everyMs, READ_MS + 2_000),
        metricProducers: [{ collect }],
      }),
    ],
  });
}

/** What a backend that is away may cost in memory, in spans. */
const MAX_QUEUED_SPANS = 20_000;

/** Returns what exports traces by OTLP over HTTP, under ids and times of their own. */
async function otlpTraceExporter(resource: Resource): Promise<TraceExporter> {
  const api = await import('@opentelemetry/api');
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  const ids = givenIds();
  const provider = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter(), { maxQueueSize: MAX_QUEUED_SPANS }),
    ],
  });
  const tracer = provider.getTracer('tierwatch');
  const kinds = { internal: api.SpanKind.INTERNAL, client: api.SpanKind.CLIENT };

  function start(traceId: string, span: TraceSpan): Span {
    const { parentSpanId, startedAt: startTime, attributes } = span;
    const contextOf = (spanId: string) => ({ traceId, spanId, traceFlags: api.TraceFlags.SAMPLED });
    const links = span.links.map((link) => ({ ...link, context: contextOf(link.spanId) }));
    ids.next = { traceId, spanId: span.spanId };
    return tracer.startSpan(
      span.name,
      { kind: kinds[span.kind], startTime, attributes, links },
      parentSpanId === null
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, contextOf(parentSpanId)),
    );
  }

  return {
    exportTrace({ traceId, spans }) {
      for (const span of spans) {
        const started = start(traceId, span);
        // By OTEL_TRACES_SAMPLER, which decides at the root.
        if (!started.isRecording()) return;
        if (span.isError) started.setStatus({ code: api.SpanStatusCode.ERROR });
        started.end(span.endedAt);
      }
    },
    flush: () => provider.forceFlush(),
    shutdown: () => provider.shutdown(),
  };
}

/** Ids that follow from rows: the SDK asks for them when it starts a span. */
function givenIds() {
  return {
    next: { traceId: '', spanId: '' },
    generateTraceId(): string {
      return this.next.traceId;
    },
    generateSpanId(): string {
      return this.next.spanId;
    },
  };
}
