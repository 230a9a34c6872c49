/** What each agent may use of its host. */

export interface AttemptLimits {
  /** Processes and threads at once; null: without a limit. */
  processes: number | null;
  memoryMb: number | null;
}

const LEAST_MEMORY_MB = 1_024;

/** Returns three quarters of the host's memory, or 1 GB if that is more. In MB. */
export function defaultMemoryMb(hostBytes: number): number {
  return Math.max(LEAST_MEMORY_MB, Math.floor((hostBytes / 1024 / 1024) * 0.75));
}
