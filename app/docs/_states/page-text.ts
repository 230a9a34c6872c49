import { type StatusKind, states } from '@/app/_components/status/states';
import { FIXED_LIMITS, PROJECT_LIMITS, TIER_LIMITS } from './limits';
import { KIND_TITLES, MEANINGS } from './meanings';

/** docs/states-and-timeouts.md, as the code has it. */
export function statesAndTimeouts(): string {
  const kinds = Object.keys(states) as StatusKind[];
  return [
    '# States and time-outs',
    'Made from the code by `node scripts/write-docs.mjs`; a test holds it to the code. Change it there.',
    '## States',
    'What the API answers, the word that pages show for it, and what it means.',
    ...kinds.flatMap((kind) => [`### ${KIND_TITLES[kind]}`, stateTable(kind)]),
    '## What a new project begins with',
    'Every value can be changed in the settings of the project.',
    table(['tier', 'model', 'time limit', 'stall', 'turns', 'budget of a process'], TIER_LIMITS),
    table(['what', 'at first'], PROJECT_LIMITS),
    '## Fixed limits',
    ...Object.entries(FIXED_LIMITS).flatMap(([title, rows]) => [
      `### ${title}`,
      table(['what', 'how long or how many'], rows),
    ]),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function stateTable(kind: StatusKind): string {
  const meanings: Record<string, string> = MEANINGS[kind];
  const rows = Object.entries(states[kind]).map(([key, { word }]) => [
    `\`${key}\``,
    word,
    meanings[key] ?? '',
  ]);
  return table(['API', 'shown as', 'meaning'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
