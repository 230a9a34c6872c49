/** How long after the document's end React may still put parts of it in their places. */
const PLACING_MS = 500;

/**
 * Calls once the page is whole. What changes a context above a part that is still on its way has
 * React make that part anew, beside the server's copy of it. @returns what calls it off
 */
export function whenArrived(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const place = () => {
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const endedAt = load?.domInteractive ?? 0;
    timer = setTimeout(then, Math.max(0, endedAt + PLACING_MS - performance.now()));
  };
  if (document.readyState !== 'loading') place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });
  return () => {
    document.removeEventListener('DOMContentLoaded', place);
    clearTimeout(timer);
  };
}
