export interface Edge {
  from: string;
  to: string;
}

/** Every circle found, as `a -> b -> a`; each set of files once. */
export function findCycles(edges: readonly Edge[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    next.set(from, (next.get(from) ?? new Set<string>()).add(to));
  }
  const found = new Map<string, string>();
  const done = new Set<string>();

  function visit(file: string, trail: string[]): void {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const circle = trail.slice(start);
      const key = [...circle].sort().join();
      if (!found.has(key)) found.set(key, [...circle, file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  }

  for (const file of [...next.keys()].sort()) visit(file, []);
  return [...found.values()];
}
