const listeners = new Set<() => void>();

/**
 * Reports that the rows behind the page changed, or may have: the page is refreshed in place,
 * merged with other reports, and only while it is visible and the server can be reached. Automatic
 * refreshes call this, never the router.
 */
export function reportChange(): void {
  for (const listener of listeners) listener();
}

/** @returns a function that ends the subscription */
export function onReportedChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
