/** Below 0 when `a` is older. Compares the three numbers; what follows them is ignored. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return (/^\d+(\.\d+){0,2}/.exec(version)?.[0] ?? '').split('.').map(Number);
}
