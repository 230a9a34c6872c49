import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Phrases that no engineer writes, with what to write instead. Compared without regard to case. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bby hand\b/i, 'manual, manually'],
  [/\b(?:is|are|was|were|been) told of\b/i, 'is notified of, is reported'],
  [/\bhas told of\b/i, 'has reported'],
  [/\b(?:hears?|heard) of\b/i, 'is subscribed to, is notified of, connected'],
  [/\bwhat (?:came|comes) of it\b/i, 'outcome'],
  [/\bof it est\b/i, 'estimated'],
  [/\bdoorbells?\b/i, 'wake-up job, notification'],
  [/\bis the truth\b|\| the truth \|/i, 'is the source of truth'],
  [/\bseat ?belt\b/i, 'safety net'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bmade whole\b/i, 'repaired, restored'],
  [/\bin mid (?:run|wait)\b/i, 'while running, while waiting'],
  [/\bends by itself\b/i, 'expires, ends automatically'],
  [/\bgets to read\b/i, 'reads'],
  [/\bmakes? room for\b/i, 'is removed, is evicted'],
  [/\bhalf within\b|\b95 ?% within\b/i, 'p50, p95'],
  [/\bpresent password\b/i, 'current password'],
  [/\bsilent for\b(?! longer)/i, 'stall timeout'],
  [/\b(?:is|are) dead\b(?=[.;,]? ?(?:at once|from now|$))/i, 'stops working'],
  [/\bunder one roof\b/i, 'in one process group'],
  [/\bwith every right\b/i, 'with full privileges'],
  [/\b(?:goes|went) on\b/i, 'continues, continued'],
  [/\bcan be driven\b/i, 'is available'],
  [/\bevery cent\b/i, 'cost'],
  [/\bthirty more cases\b/i, 'a list or a link'],
];

const ROOTS = ['app', 'lib', 'workers', 'prompts', 'docs', 'README.md', 'CONTRIBUTING.md'];
const TEXT = /\.(?:tsx?|mjs|md)$/;

function filesBelow(root: string): string[] {
  if (TEXT.test(root)) return [root];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

it('[PAG-3.1] no text, comment or name uses a phrase that reads as translated', () => {
  const found = ROOTS.flatMap(filesBelow)
    .filter((file) => !file.includes('/generated/'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          PHRASES.filter(([phrase]) => phrase.test(line)).map(
            ([, instead]) => `${file}:${index + 1} ${line.trim()}  Write: ${instead}.`,
          ),
        ),
    );
  expect(found).toEqual([]);
});
