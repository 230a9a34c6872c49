/** Colours of a terminal as our tokens: red is bad, green ok, yellow wait, blue run. */
export type AnsiColor = 'bad' | 'ok' | 'wait' | 'run' | 'tier' | 'link' | 'grey';

interface StyledText {
  text: string;
  color: AnsiColor | null;
  isBold: boolean;
}

const COLORS: Record<number, AnsiColor> = {
  1: 'bad',
  2: 'ok',
  3: 'wait',
  4: 'run',
  5: 'tier',
  6: 'link',
};

/**
 * Reads the colour codes of one line; each line starts plain. Background colours and codes that
 * move the cursor are no colours: the first are dropped, the others stay in the text.
 */
export function parseAnsi(line: string): StyledText[] {
  const parts: StyledText[] = [];
  let color: AnsiColor | null = null;
  let isBold = false;
  let from = 0;
  for (const match of line.matchAll(/\u001b\[([\d;:]*)m/g)) {
    push(line.slice(from, match.index));
    from = match.index + match[0].length;
    apply((match[1] || '0').split(/[;:]/).map(Number));
  }
  push(line.slice(from));
  return parts;

  function push(text: string) {
    if (text !== '') parts.push({ text, color, isBold });
  }

  function apply(codes: number[]) {
    for (let index = 0; index < codes.length; index += 1) {
      const code = codes[index] ?? 0;
      if (code === 0) [color, isBold] = [null, false];
      else if (code === 1) isBold = true;
      else if (code === 2 || code === 90) color = 'grey';
      else if (code === 22) isBold = false;
      else if (code === 39) color = null;
      // 256 colours and true colours carry their value in the next numbers.
      else if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4;
      else if ((code >= 30 && code <= 37) || (code >= 91 && code <= 97)) {
        color = COLORS[code % 10] ?? null;
      }
    }
  }
}

const HEAD_LINES = 3;
const TAIL_LINES = 12;

interface FoldedLines {
  head: readonly string[];
  /** How many lines are hidden between head and tail; 0 when all are shown. */
  hiddenCount: number;
  tail: readonly string[];
}

/** The first 3 and last 12 lines. One hidden line would save nothing, so it is shown. */
export function foldLines(lines: readonly string[]): FoldedLines {
  const hiddenCount = lines.length - HEAD_LINES - TAIL_LINES;
  if (hiddenCount < 2) return { head: lines, hiddenCount: 0, tail: [] };
  return { head: lines.slice(0, HEAD_LINES), hiddenCount, tail: lines.slice(-TAIL_LINES) };
}

/** The lines of an output, without the empty one after a last newline. */
export function outputLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns whether the words are in folded lines. */
export function hasFoldedMatch(lines: readonly string[], words: string): boolean {
  const wanted = words.trim().toLowerCase();
  if (wanted === '' || foldLines(lines).hiddenCount === 0) return false;
  return lines.slice(HEAD_LINES, -TAIL_LINES).some((line) => line.toLowerCase().includes(wanted));
}
