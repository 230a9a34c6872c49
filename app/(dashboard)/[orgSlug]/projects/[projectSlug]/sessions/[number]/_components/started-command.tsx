'use client';

import { useState } from 'react';
import { CodeBlock, shellQuote } from '@/app/_components/ui/code-block';

/** An argv as it was started, one flag per line; long values are folded. Copies the whole. */
export function StartedCommand({ argv }: { argv: readonly string[] }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const lines = foldedArgv(argv);
  return (
    <CodeBlock label="command" value={shellCommand(argv)} isWhole>
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the same flag may come twice
          key={index}
          className={index > 0 ? 'block pl-4' : 'block'}
        >
          {line.flag}
          {line.values !== '' ? ' ' : ''}
          {line.folded === null || open.has(index) ? line.values : null}
          {line.folded === null ? null : (
            <button
              type="button"
              aria-expanded={open.has(index)}
              onClick={() => setOpen(toggled(open, index))}
              className="link mx-1 min-h-6 font-sans text-meta select-none"
            >
              {open.has(index) ? 'Hide' : `${line.folded}, Show`}
            </button>
          )}
          {index < lines.length - 1 ? <span className="text-text-3 select-none"> \</span> : null}
          {'\n'}
        </span>
      ))}
    </CodeBlock>
  );
}

function toggled(open: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(open);
  if (!next.delete(index)) next.add(index);
  return next;
}

/** Longer values are folded: they would push the other flags out of view. */
const MAX_SHOWN_CHARACTERS = 300;

export interface ArgvLine {
  /** The flag, or the program, quoted for a shell; empty for values before any flag. */
  flag: string;
  /** Its values, quoted and joined. */
  values: string;
  /** What a folded value is: "schema, 2.1 kB"; null when it is short enough to show. */
  folded: string | null;
}

/** What the value of a flag is; of others "value". */
const KINDS: Record<string, string> = {
  '--json-schema': 'schema',
  '--mcp-config': 'MCP configuration',
  '--settings': 'settings',
  '--append-system-prompt': 'system prompt',
  '--allowedTools': 'rules',
  '--disallowedTools': 'rules',
};

/** An argv as lines, the program first, then each flag with its values in the order of the start. */
export function foldedArgv(argv: readonly string[]): ArgvLine[] {
  const lines: { flag: string; values: string[] }[] = [];
  for (const [index, word] of argv.entries()) {
    const last = lines.at(-1);
    const isValue = index > 1 && !word.startsWith('-') && lines.length > 1;
    if (isValue && last) last.values.push(shellQuote(word));
    else lines.push({ flag: shellQuote(word), values: [] });
  }
  return lines.map(({ flag, values }) => {
    const joined = values.join(' ');
    const isLong = joined.length > MAX_SHOWN_CHARACTERS;
    return { flag, values: joined, folded: isLong ? foldedText(flag, joined) : null };
  });
}

/** The whole argv as one shell command. */
export function shellCommand(argv: readonly string[]): string {
  return argv.map(shellQuote).join(' ');
}

function foldedText(flag: string, values: string): string {
  const bytes = new TextEncoder().encode(values).length;
  const size = bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
  return `${KINDS[flag] ?? 'value'}, ${size}`;
}
