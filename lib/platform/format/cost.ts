/** Millionths of a US dollar: what the ledger counts in. */
export type MicroDollars = number | bigint;

const CENT = 10_000n;
const HUNDREDTH_OF_A_CENT = 100n;

/**
 * `$0.03`, `$1,204.10`; below a cent `$0.0041`, then `<$0.0001`; zero `$0.00`; unknown `—`.
 * Sums are made before this, so that they are rounded once.
 */
export function formatCost(micros: MicroDollars | null): string {
  if (micros === null) return '—';
  const exact = toMicros(micros);
  if (exact < 0n) return `−${formatCost(-exact)}`;
  if (exact === 0n) return '$0.00';
  if (exact < HUNDREDTH_OF_A_CENT) return '<$0.0001';
  const places = exact < CENT ? 4 : 2;
  return `$${decimal(exact, places)}`;
}

/** All six places, for the tip: `$2.503118`. */
export function formatCostExact(micros: MicroDollars | null): string {
  if (micros === null) return '—';
  const exact = toMicros(micros);
  return exact < 0n ? `−$${decimal(-exact, 6)}` : `$${decimal(exact, 6)}`;
}

/** `$0.12 so far`. */
export function formatRunningCost(micros: MicroDollars | null): string {
  return micros === null ? '—' : `${formatCost(micros)} so far`;
}

/** `$0.12 est.`: a figure from a list of prices and not from the CLI. */
export function formatEstimatedCost(micros: MicroDollars | null): string {
  return micros === null ? '—' : `${formatCost(micros)} est.`;
}

function toMicros(micros: MicroDollars): bigint {
  return typeof micros === 'bigint' ? micros : BigInt(Math.round(micros));
}

function decimal(micros: bigint, places: number): string {
  const unit = 10n ** BigInt(6 - places);
  const rounded = (micros + unit / 2n) / unit;
  const scale = 10n ** BigInt(places);
  const whole = (rounded / scale).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${(rounded % scale).toString().padStart(places, '0')}`;
}

/** Millionths of a US dollar: what costs are added up and shown in. */
export function microsOf(usd: number): number {
  return Math.round(usd * 1_000_000);
}

const MICROS_PER_USD = 1_000_000;

/** US dollars of micro-dollars, as the API writes money. Sum before this, so that nothing adds up wrong. */
export function usdOf(micros: bigint | number | null | undefined): number {
  return Number(micros ?? 0) / MICROS_PER_USD;
}
