import type { Trace } from './span';

/** Where a process exports traces to. */
export interface TraceExporter {
  exportTrace(trace: Trace): void;
  /** Resolves once everything is exported, or given up. */
  flush(): Promise<void>;
  shutdown(): Promise<void>;
}
