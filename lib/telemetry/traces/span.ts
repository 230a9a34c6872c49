/** A span as it is exported: made of rows, with its own times. */

import type { SpanSubject } from '@/lib/engine/trace-ids';

export type SpanKind = 'internal' | 'client';

export type SpanAttributes = Record<string, string | number | boolean>;

export interface TraceSpan {
  subject: SpanSubject;
  spanId: string;
  /** Null for the root. */
  parentSpanId: string | null;
  name: string;
  kind: SpanKind;
  startedAt: Date;
  endedAt: Date;
  attributes: SpanAttributes;
  isError: boolean;
  /** Other spans of the same trace. */
  links: readonly { spanId: string; attributes: SpanAttributes }[];
}

/** A chain with everything in it; the root comes first, and parents before their children. */
export interface Trace {
  traceId: string;
  spans: readonly TraceSpan[];
}
