import type { Resource } from '@opentelemetry/resources';
import type { Component } from '@/lib/platform/metrics/registry';
import { toMetricData } from '../metrics/metric-data';
import { readRegistries } from '../metrics/scrape';

/** For the gauges that describe rows, in milliseconds. */
const READ_MS = 8_000;

/**
 * Exports the metrics of this process by OTLP over HTTP from now on: those that a scrape of it has.
 *
 * @returns what exports them once more and ends it
 */
export async function exportMetrics(
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
