export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** What turns one text into the other, line by line: the longest common part stays. */
export function lineDifference(before: string, after: string): DiffLine[] {
  const one = before.split('\n');
  const other = after.split('\n');
  const lengths = commonLengths(one, other);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [a, b] = [one[i], other[j]];
    if (a !== undefined && a === b) {
      lines.push({ kind: 'same', text: a });
      i += 1;
      j += 1;
    } else if (
      b === undefined ||
      (a !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))
    ) {
      lines.push({ kind: 'removed', text: a ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: b });
      j += 1;
    }
  }
  return lines;
}

/** Of the rests from each pair of lines on. */
function commonLengths(one: readonly string[], other: readonly string[]): number[][] {
  const lengths: number[][] = Array.from({ length: one.length + 1 }, () =>
    new Array<number>(other.length + 1).fill(0),
  );
  for (let i = one.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    if (!row) continue;
    for (let j = other.length - 1; j >= 0; j -= 1) {
      row[j] =
        one[i] === other[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
