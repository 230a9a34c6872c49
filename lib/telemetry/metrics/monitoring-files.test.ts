/** The dashboard, the alert rules and the documentation name metrics that exist. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import '@/lib/paging/metrics';
import '@/lib/deliveries/outbox/metrics';
import '@/lib/signals/metrics';
import '@/lib/engine/metrics';
import '@/lib/incidents/metrics';
import '@/lib/monitoring/metrics';
import '@/lib/platform/http/request-metrics';
import '@/lib/watchdog/metrics';
import { makeDeclaredMetrics } from '@/lib/platform/metrics/instruments';
import { addProcessMetrics, metricsRegistry } from '@/lib/platform/metrics/registry';
import { STATE_GAUGES } from './state-data';

const docs = path.resolve(import.meta.dirname, '../../../docs');
const read = (file: string) => readFileSync(path.join(docs, file), 'utf8');
const names = new Set<string>();

beforeAll(() => {
  addProcessMetrics('web', '1.2.3');
  makeDeclaredMetrics();
  for (const { name } of metricsRegistry().getMetricsAsArray()) names.add(name);
  for (const { name } of STATE_GAUGES) names.add(name);
  names.add('tierwatch_state_read_success');
});

/** As in expressions: a histogram's parts have its name with a suffix. */
function namedIn(text: string): string[] {
  const found = text.match(/\b(?:tierwatch|nodejs|process)_\w+/g) ?? [];
  return [...new Set(found)].map((name) =>
    names.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''),
  );
}

describe('[INC-4.2] what is delivered for Prometheus and Grafana', () => {
  it.each(['monitoring/prometheus-rules.yml', 'monitoring/grafana-dashboard.json'])(
    '%s uses metrics that exist',
    (file) => {
      const used = namedIn(read(file));
      expect(used.length).toBeGreaterThan(5);
      expect(used.filter((name) => !names.has(name))).toEqual([]);
    },
  );

  it('the documentation has every metric of ours', () => {
    const text = read('operations.md');
    // Tests share a process, and those of the registry declare metrics of their own.
    const own = [...names].filter((name) => /^tierwatch_(?!test_)/.test(name));
    expect(own.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
