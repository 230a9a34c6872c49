export interface Tick {
  value: number;
  label: string;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** From zero to at least `max` in at most four steps of 1, 2, 2.5 or 5 times a power of ten. */
export function niceTicks(max: number, isWhole: boolean): number[] {
  const least = isWhole ? 1 : Number.MIN_VALUE;
  const rough = Math.max(max, least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const fits = STEPS.map((step) => step * power).find(
    (step) => step >= rough && (!isWhole || Number.isInteger(step)),
  );
  const step = fits ?? Math.ceil(rough);
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => round(index * step));
}

/** Without the tail that adding up tenths leaves. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

const SPANS: Tick[] = [
  { value: 1, label: '1s' },
  { value: 10, label: '10s' },
  { value: 60, label: '1m' },
  { value: 600, label: '10m' },
  { value: 3_600, label: '1h' },
  { value: 36_000, label: '10h' },
  { value: 360_000, label: '100h' },
  { value: 3_600_000, label: '1000h' },
];

/** Spans of time for a logarithmic axis, one below the least and one above the most. */
export function spanTicks(least: number, most: number): Tick[] {
  const below = SPANS.findLastIndex((tick) => tick.value <= least);
  const above = SPANS.findIndex((tick) => tick.value >= most);
  const from = Math.max(0, below);
  const to = above === -1 ? SPANS.length - 1 : above;
  // One tick is no scale.
  return SPANS.slice(from === to ? Math.max(0, from - 1) : from, to + 1);
}
