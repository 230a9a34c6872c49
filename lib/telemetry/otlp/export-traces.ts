import type { Span } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { TraceSpan } from '../traces/span';
import type { TraceExporter } from '../traces/trace-exporter';

/** What a backend that is away may cost in memory, in spans. */
const MAX_QUEUED_SPANS = 20_000;

/** Returns what exports traces by OTLP over HTTP, under ids and times of their own. */
export async function otlpTraceExporter(resource: Resource): Promise<TraceExporter> {
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
