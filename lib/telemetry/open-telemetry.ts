/**
 * The OpenTelemetry SDK of this process: loaded only where OTEL_EXPORTER_OTLP_ENDPOINT is set. It isn't
 * registered globally, so no library makes spans of its own, nothing is propagated, and no caller of the
 * API chooses a trace. The exporters read the endpoint, headers, timeouts and compression from the OTEL_
 * variables themselves.
 */

import { randomUUID } from 'node:crypto';
import type { Span } from '@opentelemetry/api';
import { logger } from '@/lib/platform/logger';
import type { Component } from '@/lib/platform/metrics/registry';
import { productVersion } from '@/lib/platform/product-version';
import { within } from '@/lib/platform/within';
import type { Exporters } from './traces/exporters';
import { chainQueue, type EndedChain } from './traces/export-chain';
import type { ExportQueue } from './traces/export-queue';
import type { Trace, TraceSpan } from './traces/span';

/** What a backend that is away may cost in memory, in spans. */
const MAX_QUEUED_SPANS = 20_000;
/** A process that ends waits no longer for what it still has to export. */
export const FLUSH_MS = 3_000;
/** A backend that is away is reported once in this time. */
const COMPLAIN_EVERY_MS = 60_000;

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as {
  tierwatchOpenTelemetry?: { exporters: Promise<Exporters>; chains: ExportQueue<EndedChain> };
};

/** Returns the queue of chains whose traces this process exports; the first call makes it. */
export function exportChains(component: Component): ExportQueue<EndedChain> {
  if (!held.tierwatchOpenTelemetry) {
    const exporters = makeExporters(component);
    // Whoever exports learns it.
    exporters.catch(() => {});
    held.tierwatchOpenTelemetry = { exporters, chains: chainQueue(() => exporters) };
  }
  return held.tierwatchOpenTelemetry.chains;
}

/** Exports what is left, for 3 seconds at most, and ends the exporters. Never rejects. */
export async function flushTelemetry(timeoutMs = FLUSH_MS): Promise<void> {
  const { tierwatchOpenTelemetry: running } = held;
  if (!running) return;
  delete held.tierwatchOpenTelemetry;
  const flush = async () => {
    await running.chains.idle();
    await (await running.exporters).shutdown();
  };
  await within(timeoutMs, flush()).catch((error: unknown) =>
    logger.warn({ error: String(error) }, 'telemetry not flushed'),
  );
}

async function makeExporters(component: Component): Promise<Exporters> {
  const api = await import('@opentelemetry/api');
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  const { detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  api.diag.setLogger(complaints(), {
    logLevel: api.DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  const version = productVersion();
  const resource = resourceFromAttributes({
    'service.name': `tierwatch-${component}`,
    'service.version': version,
    'service.instance.id': randomUUID(),
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME win. Nothing is read of the host or its processes.
  }).merge(detectResources({ detectors: [envDetector] }));
  const ids = givenIds();
  const provider = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter(), { maxQueueSize: MAX_QUEUED_SPANS }),
    ],
  });
  const tracer = provider.getTracer('tierwatch', version);
  const kinds = { internal: api.SpanKind.INTERNAL, client: api.SpanKind.CLIENT };

  function start(traceId: string, span: TraceSpan): Span {
    const { parentSpanId: spanId } = span;
    const contextOf = (id: string) => ({
      traceId,
      spanId: id,
      traceFlags: api.TraceFlags.SAMPLED,
    });
    const parent = spanId ? api.trace.setSpanContext(api.ROOT_CONTEXT, contextOf(spanId)) : null;
    ids.next = { traceId, spanId: span.spanId };
    return tracer.startSpan(
      span.name,
      {
        kind: kinds[span.kind],
        startTime: span.startedAt,
        attributes: span.attributes,
        links: span.links.map(({ spanId: id, attributes }) => ({
          context: contextOf(id),
          attributes,
        })),
      },
      parent ?? api.ROOT_CONTEXT,
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
