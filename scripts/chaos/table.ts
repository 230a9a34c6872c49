import type { Verdict } from './judge';

/** Of each figure, at most this many entries are named; the records have all of them. */
const NAMED = 10;

/** The table that `npm run chaos` prints. */
export function toTable({ figures, facts, isGood }: Verdict): string {
  const rows = [
    ...facts.map(([what, value]): [string, string] => [what, value]),
    ...figures.map(({ what, wrong }): [string, string] => [
      what,
      wrong.length === 0 ? '0' : `${wrong.length}  must be 0`,
    ]),
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, value]) => `  ${what.padEnd(width)}  ${value}`);
  lines.splice(facts.length, 0, `  ${'-'.repeat(width)}`);
  const named = figures.flatMap(({ what, wrong }) => {
    if (wrong.length === 0) return [];
    const more = wrong.length > NAMED ? [`  … and ${wrong.length - NAMED} more`] : [];
    return ['', `${what}:`, ...wrong.slice(0, NAMED).map((text) => `  ${text}`), ...more];
  });
  const end = isGood ? 'Nothing was lost, doubled or left behind.' : 'Something went wrong.';
  return [...lines, ...named, '', end, ''].join('\n');
}
