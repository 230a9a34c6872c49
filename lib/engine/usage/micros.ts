/** Millionths of a US dollar: what costs are added up and shown in. */
export function microsOf(usd: number): number {
  return Math.round(usd * 1_000_000);
}
