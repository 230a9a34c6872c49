import { type StatusKind, states } from '@/app/_components/status/states';
import { FIXED_LIMITS, PROJECT_LIMITS, TIER_LIMITS } from './limits';
import { KIND_TITLES, MEANINGS } from './meanings';
import { ESCALATION_ROWS, RESUME_ROWS } from './reason-rows';

/**
 * Returns docs/changelog.md for CHANGELOG.md. The kinds of changes become bold lines, because the
 * headings of a page have to differ.
 *
 * @param changelog the text of CHANGELOG.md
 */
export function changelogPage(changelog: string): string {
  return changelog.replace(/^### (.+)$/gm, '**$1**');
}

/** Returns docs/states-and-timeouts.md. */
export function statesAndTimeouts(): string {
  const kinds = Object.keys(states) as StatusKind[];
  return [
    '# States and timeouts',
    'This page is generated from the code by `node scripts/write-docs.mjs`, and a test compares both.',
    '## States',
    'For each state: the value in the API, the word on the pages, and its meaning.',
    ...kinds.flatMap((kind) => [`### ${KIND_TITLES[kind]}`, stateTable(kind)]),
    '## Reason codes',
    'Each decision has a code and a sentence. The sentences below use example values.',
    '### Escalation',
    table(['code', 'sentence', 'help'], ESCALATION_ROWS),
    '### Resume or handoff',
    table(['code', 'sentence', 'help'], RESUME_ROWS),
    '## Defaults of a new project',
    'You can change every value in the settings of the project.',
    table(
      ['tier', 'model', 'time limit', 'stall timeout', 'max turns', 'max cost per process'],
      TIER_LIMITS,
    ),
    table(['setting', 'default'], PROJECT_LIMITS),
    '## Fixed limits',
    ...Object.entries(FIXED_LIMITS).flatMap(([title, rows]) => [
      `### ${title}`,
      table(['limit', 'value'], rows),
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
