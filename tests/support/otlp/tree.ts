import type { ReceivedSpan } from './receiver';

/** A trace as indented names, children in the order of their starts: easy to compare and to read. */
export function treeOf(spans: readonly ReceivedSpan[]): string[] {
  const below = (parentSpanId: string, depth: number): string[] =>
    spans
      .filter((span) => span.parentSpanId === parentSpanId)
      .toSorted((one, other) => one.startedAt - other.startedAt || one.endedAt - other.endedAt)
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.name}${span.isError ? ' !' : ''}`,
        ...below(span.spanId, depth + 1),
      ]);
  return below('', 0);
}
