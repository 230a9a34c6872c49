import path from 'node:path';

/** What each agent may use of its host. */

export interface AttemptLimits {
  /** Processes and threads at once; null: without a limit. */
  processes: number | null;
  memoryMb: number | null;
}

const MIN_MEMORY_MB = 1_024;

/** Returns three quarters of the host's memory, or 1 GB if that is more. In MB. */
export function defaultMemoryMb(hostBytes: number): number {
  return Math.max(MIN_MEMORY_MB, Math.floor((hostBytes / 1024 / 1024) * 0.75));
}

/**
 * Returns the variable that keeps git from looking for a repository above a folder, from there or from
 * any folder on the way up.
 */
export function gitCeilings(folder: string): { GIT_CEILING_DIRECTORIES: string } {
  const above: string[] = [];
  for (let at = path.dirname(folder); !above.includes(at); at = path.dirname(at)) above.push(at);
  return { GIT_CEILING_DIRECTORIES: above.join(path.delimiter) };
}
