/** Millionths of a US dollar: what costs are added up and shown in. */
export function microsOf(usd: number): number {
  return Math.round(usd * 1_000_000);
}

const MICROS_PER_USD = 1_000_000;

/** US dollars of micro-dollars, as the API writes money. Sum before this, so that nothing adds up wrong. */
export function usdOf(micros: bigint | number | null | undefined): number {
  return Number(micros ?? 0) / MICROS_PER_USD;
}
