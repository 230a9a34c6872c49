export interface Edge {
  from: string;
  to: string;
  /** The file that draws it. */
  by: string;
}

/** Every circle found, as `a -> b -> a` with the files that draw it; each set of folders once. */
export function findCycles(edges: readonly Edge[]): string[] {
  const next = new Map<string, Map<string, string>>();
  for (const { from, to, by } of edges) {
    const targets = next.get(from) ?? new Map<string, string>();
    if (!targets.has(to)) targets.set(to, by);
    next.set(from, targets);
  }
  const found = new Map<string, string>();
  const done = new Set<string>();

  function visit(folder: string, trail: string[]): void {
    const start = trail.indexOf(folder);
    if (start >= 0) {
      const circle = trail.slice(start);
      const key = [...circle].sort().join();
      if (!found.has(key)) found.set(key, describeCircle([...circle, folder]));
      return;
    }
    if (done.has(folder)) return;
    for (const target of next.get(folder)?.keys() ?? []) visit(target, [...trail, folder]);
    done.add(folder);
  }

  function describeCircle(circle: string[]): string {
    const files = circle.slice(1).map((to, index) => next.get(circle[index] ?? '')?.get(to) ?? '');
    return `${circle.join(' -> ')} (${files.join(', ')})`;
  }

  for (const folder of [...next.keys()].sort()) visit(folder, []);
  return [...found.values()];
}
