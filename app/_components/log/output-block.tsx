'use client';

import { use, useState } from 'react';
import { formatCounted } from '@/lib/platform/format/count';
import { cn } from '../ui/cn';
import { SafeText } from '../ui/safe-text';
import { type AnsiColor, foldLines, hasFoldedMatch, outputLines, parseAnsi } from './output';
import { SearchContext } from './search';

interface OutputBlockProps {
  text: string;
  stream: 'stdout' | 'stderr';
  /** Id of the row that it is in. */
  rowId?: string;
  /** Bytes that were cut away before storing. */
  cutBytes?: number;
}

/** First 3 and last 12 lines, and all of them when asked. stderr is ruled off and named. */
export function OutputBlock({ text, stream, rowId, cutBytes = 0 }: OutputBlockProps) {
  const [isWhole, setWhole] = useState(false);
  const { words, marked } = use(SearchContext);
  const lines = outputLines(text);
  // Once unfolded it stays so: the search moving on doesn't move the rows below.
  if (!isWhole && marked === rowId && hasFoldedMatch(lines, words)) setWhole(true);
  const { head, hiddenCount, tail } = isWhole
    ? { head: lines, hiddenCount: 0, tail: [] }
    : foldLines(lines);
  if (lines.length === 0 && cutBytes === 0) return null;
  return (
    <div className={cn('text-code', stream === 'stderr' && 'border-bad-mark border-l-2 pl-2')}>
      {stream === 'stderr' ? <p className="font-sans text-bad-fg text-meta">stderr</p> : null}
      <pre className="whitespace-pre-wrap break-words [overflow-wrap:anywhere]">
        <Lines lines={head} />
      </pre>
      {hiddenCount > 0 ? (
        <p
          data-facts
          className="my-1 flex items-center gap-2 border-line border-y border-dashed py-0.5 font-sans text-meta text-text-3"
        >
          <span aria-hidden>…</span>
          {formatCounted(hiddenCount, 'line')} folded
          <button type="button" onClick={() => setWhole(true)} className="link min-h-6 font-medium">
            Show all {lines.length.toLocaleString('en')} lines
          </button>
        </p>
      ) : null}
      {tail.length > 0 ? (
        <pre className="whitespace-pre-wrap break-words [overflow-wrap:anywhere]">
          <Lines lines={tail} />
        </pre>
      ) : null}
      {cutBytes > 0 ? (
        <p className="font-sans text-meta text-text-3">
          {formatCounted(cutBytes, 'byte')} {cutBytes === 1 ? 'was' : 'were'} not kept.
        </p>
      ) : null}
    </div>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines only ever grow at the end
    <OutputLine key={index} line={line} />
  ));
}

const COLORS: Record<AnsiColor, string> = {
  bad: 'text-bad-fg',
  ok: 'text-ok-fg',
  wait: 'text-wait-fg',
  run: 'text-run-fg',
  tier: 'text-tier-fg',
  link: 'text-link',
  grey: 'text-text-3',
};

/** One line of an output, in the colours that it was printed with. */
function OutputLine({ line }: { line: string }) {
  const parts = parseAnsi(line);
  return (
    <span className="block min-h-5">
      {parts.map((part, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line never change places
          key={index}
          className={cn(part.color && COLORS[part.color], part.isBold && 'font-semibold')}
        >
          <SafeText text={part.text} />
        </span>
      ))}
    </span>
  );
}
