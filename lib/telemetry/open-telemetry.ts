/** What this process exports by OTLP, where OTEL_EXPORTER_OTLP_ENDPOINT is set. */

import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import type { Component } from '@/lib/platform/metrics/registry';
import { within } from '@/lib/platform/within';
import { exportMetrics } from './otlp/export-metrics';
import { otlpTraceExporter } from './otlp/export-traces';
import { loadSdk } from './otlp/sdk';
import { chainQueue, type EndedChain } from './traces/export-chain';
import type { ExportQueue } from './traces/export-queue';

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
