import { describe, expect, it } from 'vitest';
import type { Drawing, PlotView } from './plot-view';
import { segmentsOf } from './segments';

const solid = { color: 'ok', form: 'solid' } as const;

function viewOf(drawing: Drawing, headers: string[], cells: string[][]): PlotView {
  return {
    kind: 'outcomes',
    title: 'Chains by outcome',
    caption: '',
    bucketWords: '',
    emptyText: null,
    csvHref: '',
    notes: [],
    legend: [],
    columns: cells.map((_, index) => ({
      short: `${index}`,
      long: `${index}`,
      isCurrent: false,
      isEmpty: false,
      href: '/acme/chains',
      from: `2026-11-2${index}T00:00:00.000Z`,
      to: `2026-11-2${index + 1}T00:00:00.000Z`,
    })),
    table: {
      columns: headers.map((header) => ({ header, isNumber: true })),
      rows: cells.map((texts, bucket) => ({
        bucket,
        header: `${bucket}`,
        cells: texts.map((text) => ({ text, value: null })),
      })),
    },
    drawing,
  };
}

describe('[PAG-2.1] what a plot lets you open on its own', () => {
  it('is each piece of a stacked bar, with its figure, its filter and its time', () => {
    const drawing: Drawing = {
      form: 'bars',
      series: [
        {
          key: 'bad',
          label: 'Failed',
          list: '/acme/chains?outcome=failed',
          fill: solid,
        },
        {
          key: 'ok',
          label: 'Healthy',
          list: '/acme/chains?outcome=healthy',
          fill: solid,
        },
      ],
      rows: [{ bad: 1, ok: 4 }, { bad: 0, ok: 2 }, {}],
      ticks: [0, 5, 10].map((value) => ({ value, label: `${value}` })),
      limit: null,
    };
    const cells = [
      ['4', '1'],
      ['2', '0'],
      ['no chains', 'no chains'],
    ];
    const found = segmentsOf(viewOf(drawing, ['Healthy', 'Failed'], cells));
    expect(found.map(({ name, column, bottom, height }) => [column, name, bottom, height])).toEqual(
      [
        [0, 'Failed 1', 0, 0.1],
        [0, 'Healthy 4', 0.1, 0.4],
        [1, 'Healthy 2', 0, 0.2],
      ],
    );
    expect(found[1]?.href).toBe(
      '/acme/chains?outcome=healthy&from=2026-11-20T00%3A00%3A00.000Z&to=2026-11-21T00%3A00%3A00.000Z',
    );
  });

  it('is each point of a line', () => {
    const line = { color: 'run', isDashed: false, hollow: [false] } as const;
    const drawing: Drawing = {
      form: 'lines',
      series: [{ ...line, hollow: [false], key: 'p50', label: 'p50', list: '/l' }],
      rows: [{ p50: 25 }, { p50: null }],
      ticks: [0, 100].map((tick) => ({ value: tick, label: '' })),
    };
    const found = segmentsOf(viewOf(drawing, [], [[], []]));
    expect(found).toHaveLength(1);
    expect(found[0]?.bottom).toBeCloseTo(0.25);
  });
});
