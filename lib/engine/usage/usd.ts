const MICROS_PER_USD = 1_000_000;

/** US dollars of micro-dollars, as the API writes money. Sum before this, so that nothing adds up wrong. */
export function usdOf(micros: bigint | number | null | undefined): number {
  return Number(micros ?? 0) / MICROS_PER_USD;
}
