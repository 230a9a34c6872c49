import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMetrics } from '@/tests/support/metrics/read-metrics';
import { counter, histogram, makeDeclaredMetrics, OPEN, projectCounter } from './instruments';
import { addProjectLabel } from './project-label';
import { addProcessMetrics, forgetMetrics, metricsRegistry } from './registry';

const read = async () => readMetrics(await metricsRegistry().metrics());

const drawn = counter({
  name: 'tierwatch_test_drawn_total',
  help: 'Cards.',
  labels: { suit: ['hearts', 'spades'], by: ['hand', 'machine'] },
});
const played = projectCounter({
  name: 'tierwatch_test_played_total',
  help: 'Games.',
  labels: { outcome: ['won', 'lost'] },
});
const asked = counter({ name: 'tierwatch_test_asked_total', help: 'Any.', labels: { word: OPEN } });
const took = histogram({
  name: 'tierwatch_test_took_seconds',
  help: 'Time.',
  labels: { outcome: ['won', 'lost'] },
  buckets: [1, 10],
});
const PROJECT = { organizationId: 'o', projectId: 'p' };

beforeEach(forgetMetrics);
afterEach(() => addProjectLabel(null));

describe('[INC-4.2] metrics of a process', () => {
  it('begin at 0 for each combination of closed labels, and only there', async () => {
    makeDeclaredMetrics();
    const { samples, types } = await read();
    const own = [...samples].filter(([name]) => name.startsWith('tierwatch_test_'));
    expect(own.toSorted()).toEqual([
      ['tierwatch_test_drawn_total{by="hand",suit="hearts"}', 0],
      ['tierwatch_test_drawn_total{by="hand",suit="spades"}', 0],
      ['tierwatch_test_drawn_total{by="machine",suit="hearts"}', 0],
      ['tierwatch_test_drawn_total{by="machine",suit="spades"}', 0],
      ['tierwatch_test_played_total{outcome="lost"}', 0],
      ['tierwatch_test_played_total{outcome="won"}', 0],
    ]);
    expect(types.get('tierwatch_test_took_seconds')).toBe('histogram');
  });

  it('add up, and never go down', async () => {
    drawn.add({ suit: 'hearts', by: 'hand' });
    drawn.add({ suit: 'hearts', by: 'hand' }, 2.5);
    drawn.add({ suit: 'hearts', by: 'hand' }, -1);
    drawn.add({ suit: 'hearts', by: 'hand' }, Number.NaN);
    drawn.add({ suit: 'hearts', by: 'hand' }, Number.POSITIVE_INFINITY);
    const { samples } = await read();
    expect(samples.get('tierwatch_test_drawn_total{by="hand",suit="hearts"}')).toBe(3.5);
  });

  it('count a value outside a closed label as other', async () => {
    drawn.add({ suit: 'clubs' as 'hearts', by: 'hand' });
    const { samples } = await read();
    expect(samples.get('tierwatch_test_drawn_total{by="hand",suit="other"}')).toBe(1);
  });

  it('escape what an open label holds', async () => {
    const word = 'a"b\\c\nd{e="f"}';
    asked.add({ word });
    const { samples } = await read();
    expect([...samples.keys()]).toContain(
      'tierwatch_test_asked_total{word="a\\"b\\\\c\\nd{e=\\"f\\"}"}',
    );
  });

  it('have buckets that include those before, and no negative time', async () => {
    took.observe({ outcome: 'won' }, 5);
    took.observe({ outcome: 'won' }, -5);
    const { samples } = await read();
    const of = (rest: string) => samples.get(`tierwatch_test_took_seconds_${rest}`);
    expect(of('bucket{le="1",outcome="won"}')).toBe(1);
    expect(of('bucket{le="10",outcome="won"}')).toBe(2);
    expect(of('bucket{le="+Inf",outcome="won"}')).toBe(2);
    expect(of('sum{outcome="won"}')).toBe(5);
  });

  it('have no project unless the installation wants it', async () => {
    await played.add(PROJECT, { outcome: 'won' });
    const { samples } = await read();
    expect(samples.get('tierwatch_test_played_total{outcome="won"}')).toBe(1);
  });

  it('have the project where the installation wants it', async () => {
    addProjectLabel(async ({ projectId }) => `slug-of-${projectId}`);
    await played.add(PROJECT, { outcome: 'won' });
    const { samples } = await read();
    expect(samples.get('tierwatch_test_played_total{outcome="won",project="slug-of-p"}')).toBe(1);
  });

  it('are counted without a name when the project can’t be read', async () => {
    addProjectLabel(() => Promise.reject(new Error('away')));
    await played.add(PROJECT, { outcome: 'lost' });
    const { samples } = await read();
    expect(samples.get('tierwatch_test_played_total{outcome="lost",project="unknown"}')).toBe(1);
  });

  it('are the same for every copy of a module', async () => {
    const { counter: copy } = await import('./instruments');
    copy({ name: 'tierwatch_test_asked_total', help: 'Any.', labels: { word: OPEN } }).add({
      word: 'w',
    });
    asked.add({ word: 'w' });
    expect((await read()).samples.get('tierwatch_test_asked_total{word="w"}')).toBe(2);
  });

  it('name the process, and leave out those of prom-client that Prometheus refuses', async () => {
    addProcessMetrics('worker', '1.2.3');
    addProcessMetrics('worker', '1.2.3');
    const { samples, types } = await read();
    expect(samples.get('tierwatch_build_info{component="worker",version="1.2.3"}')).toBe(1);
    const gauges = [...types].filter(([name, type]) => name.endsWith('_total') && type === 'gauge');
    expect(gauges).toEqual([]);
    expect([...types.keys()]).toEqual(
      expect.arrayContaining([
        'nodejs_eventloop_lag_seconds',
        'nodejs_heap_size_used_bytes',
        'nodejs_gc_duration_seconds',
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
      ]),
    );
    expect([...types.keys()].filter((name) => /handles|requests|resources/.test(name))).toEqual([]);
  });
});
