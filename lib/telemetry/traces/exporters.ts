import type { Trace } from './span';

/** Where a process exports to. */
export interface Exporters {
  exportTrace(trace: Trace): void;
  /** Resolves once everything is exported, or given up. */
  flush(): Promise<void>;
  shutdown(): Promise<void>;
}
