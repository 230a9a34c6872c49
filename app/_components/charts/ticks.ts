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
