/**
 * Whether a request with a cookie comes from our own pages. Browsers say so themselves; where one
 * does not, the origin has to be ours, and a request that only reads may go without either.
 */
export function isSameOrigin(
  facts: { method: string; secFetchSite: string | null; origin: string | null },
  ownOrigins: readonly string[],
): boolean {
  if (facts.secFetchSite) return ['same-origin', 'none'].includes(facts.secFetchSite);
  if (facts.origin) return ownOrigins.includes(facts.origin);
  return facts.method === 'GET';
}
