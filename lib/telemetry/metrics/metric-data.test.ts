import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { toMetricData } from './metric-data';

const KINDS = { sum: 3, gauge: 2, histogram: 0, cumulative: 1, double: 1 };
const SINCE = new Date('2026-11-26T12:00:00.000Z');
const NOW = new Date('2026-11-26T12:00:30.250Z');
const times = { startTime: [1_795_694_400, 0], endTime: [1_795_694_430, 250_000_000] };

it('[INC-4.2] metrics are exported as a scrape has them', async () => {
  const registers = [new Registry()];
  new Counter({ name: 'a_total', help: 'A.', labelNames: ['x'], registers }).inc({ x: '1' }, 2.5);
  new Gauge({ name: 'b', help: 'B.', registers }).set(-1);
  new Gauge({ name: 'c', help: 'C.', registers }).set(Number.NaN);
  new Counter({ name: 'd_total', help: 'D.', labelNames: ['x'], registers });
  const took = new Histogram({
    name: 'e_seconds',
    help: 'E.',
    labelNames: ['x'],
    buckets: [1, 10],
    registers,
  });
  for (const value of [0.5, 0.5, 5, 50]) took.observe({ x: '1' }, value);
  took.observe({ x: '2' }, 5);
  const [registry] = registers;
  const data = toMetricData((await registry?.getMetricsAsJSON()) ?? [], KINDS as never, SINCE, NOW);
  const histogram = (counts: number[], sum: number, count: number) => ({
    buckets: { boundaries: [1, 10], counts },
    sum,
    count,
  });
  expect(data).toEqual([
    {
      descriptor: { name: 'a_total', description: 'A.', unit: '', valueType: 1 },
      aggregationTemporality: 1,
      dataPointType: 3,
      isMonotonic: true,
      dataPoints: [{ ...times, attributes: { x: '1' }, value: 2.5 }],
    },
    {
      descriptor: { name: 'b', description: 'B.', unit: '', valueType: 1 },
      aggregationTemporality: 1,
      dataPointType: 2,
      dataPoints: [{ ...times, attributes: {}, value: -1 }],
    },
    {
      descriptor: { name: 'e_seconds', description: 'E.', unit: '', valueType: 1 },
      aggregationTemporality: 1,
      dataPointType: 0,
      dataPoints: [
        { ...times, attributes: { x: '1' }, value: histogram([2, 1, 1], 56, 4) },
        { ...times, attributes: { x: '2' }, value: histogram([0, 1, 0], 5, 1) },
      ],
    },
  ]);
});
