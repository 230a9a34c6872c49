/**
 * The Prometheus metrics of this process. Every module declares its own in a `metrics.ts`, as one entry
 * each (`instruments.ts`). They count what this process has committed: a restart begins at 0, which
 * `rate()` and `increase()` expect, and the total of an installation is the sum over its processes.
 */

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchMetrics?: Registry };

export function metricsRegistry(): Registry {
  held.tierwatchMetrics ??= new Registry();
  return held.tierwatchMetrics;
}

/** Forgets every metric, so that a test begins without any. */
export function forgetMetrics(): void {
  held.tierwatchMetrics?.clear();
}

/** Which process a scrape is of. */
export type Component = 'web' | 'worker' | 'runner';

/**
 * Those of prom-client that are kept. Three of the others are gauges whose names end in `_total`, which
 * `promtool check metrics` refuses.
 */
const OF_PROCESS =
  /^(?:process_(?:cpu_(?:user_|system_)?seconds_total|start_time_seconds|resident_memory_bytes|open_fds|max_fds)|nodejs_(?:eventloop_lag_(?:seconds|mean_seconds|max_seconds|p50_seconds|p99_seconds)|heap_size_(?:total|used)_bytes|external_memory_bytes|gc_duration_seconds))$/;

/**
 * Adds what the process itself uses: CPU, memory, garbage collection and the lag of its event loop. For
 * the start of a process; calling it again changes nothing.
 *
 * @param version of the installation
 */
export function addProcessMetrics(component: Component, version: string): void {
  const registry = metricsRegistry();
  if (registry.getSingleMetric(BUILD_INFO)) return;
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) {
    if (!OF_PROCESS.test(name) && !name.startsWith('tierwatch_')) registry.removeSingleMetric(name);
  }
  new Gauge({
    name: BUILD_INFO,
    help: 'Always 1: the version of the installation, and which of its processes this is.',
    labelNames: ['component', 'version'],
    registers: [registry],
  }).set({ component, version }, 1);
}

const BUILD_INFO = 'tierwatch_build_info';
