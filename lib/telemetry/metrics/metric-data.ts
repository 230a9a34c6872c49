/** The metrics of this process in the form of OpenTelemetry, under the names that a scrape has. */

import type { HrTime } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData } from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Values of the SDK's enumerations, which is loaded only where something is exported. */
export interface OtlpKinds {
  sum: MetricData['dataPointType'];
  gauge: MetricData['dataPointType'];
  histogram: MetricData['dataPointType'];
  cumulative: MetricData['aggregationTemporality'];
  double: MetricData['descriptor']['valueType'];
}

type Read = MetricObjectWithValues<MetricValue<string>>;

/**
 * @param since when the process began to count
 * @returns those with samples; a value that isn't a number is left out
 */
export function toMetricData(
  metrics: readonly Read[],
  kinds: OtlpKinds,
  since: Date,
  now: Date,
): MetricData[] {
  const times = { startTime: hrTime(since), endTime: hrTime(now) };
  return metrics.flatMap((metric) => {
    const { name, help } = metric;
    const shared = {
      descriptor: { name, description: help, unit: '', valueType: kinds.double },
      aggregationTemporality: kinds.cumulative,
    };
    // prom-client names the types, whatever its declarations say.
    const type = String(metric.type);
    const dataPoints = type === 'histogram' ? histograms(metric, times) : numbers(metric, times);
    if (dataPoints.length === 0) return [];
    if (type === 'histogram') {
      return { ...shared, dataPointType: kinds.histogram, dataPoints } as MetricData;
    }
    return type === 'counter'
      ? ({ ...shared, dataPointType: kinds.sum, isMonotonic: true, dataPoints } as MetricData)
      : ({ ...shared, dataPointType: kinds.gauge, dataPoints } as MetricData);
  });
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function numbers({ values }: Read, times: Times): DataPoint<number>[] {
  return values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }));
}

/** A scrape's buckets each include those before; OpenTelemetry's don't. */
function histograms({ name, values }: Read, times: Times): DataPoint<Histogram>[] {
  const series = new Map<string, { labels: MetricValue<string>['labels']; of: typeof values }>();
  for (const value of values) {
    const { le: _le, ...labels } = value.labels as Record<string, string | number>;
    const key = JSON.stringify(Object.entries(labels).toSorted());
    const known = series.get(key) ?? { labels, of: [] };
    known.of.push(value);
    series.set(key, known);
  }
  return [...series.values()].map(({ labels, of }) => {
    const named = (suffix: string) =>
      of.filter((value) => (value as { metricName?: string }).metricName === `${name}_${suffix}`);
    const upTo = named('bucket').map(({ value }) => value);
    const boundaries = named('bucket')
      .map(({ labels: each }) => Number((each as { le: string | number }).le))
      .filter(Number.isFinite);
    return {
      ...times,
      attributes: attributesOf(labels),
      value: {
        buckets: { boundaries, counts: upTo.map((count, at) => count - (upTo[at - 1] ?? 0)) },
        sum: named('sum')[0]?.value ?? 0,
        count: named('count')[0]?.value ?? 0,
      },
    };
  });
}

function attributesOf(labels: MetricValue<string>['labels']): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function hrTime(at: Date): HrTime {
  const ms = at.getTime();
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}
