'use client';

import { useState } from 'react';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { foldedArgv, shellCommand } from './argv-lines';

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
