import type { ReactNode } from 'react';
import { cn } from './cn';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  /** The accessible name, also the words of the copy button: "Copy command". */
  label: string;
  /** What is copied. */
  value: string;
  children: ReactNode;
  /** However long, without a scroll of its own. */
  isWhole?: boolean;
  className?: string;
}

/** Long lines wrap: a command is never cut. */
export function CodeBlock({ label, value, children, isWhole, className }: CodeBlockProps) {
  return (
    <div className={cn('relative rounded-control border border-line bg-sunken', className)}>
      <pre
        // What scrolls must be within reach of the keyboard.
        tabIndex={isWhole ? undefined : 0}
        className={cn(
          'whitespace-pre-wrap break-words py-2 pr-12 pl-3 text-code',
          !isWhole && 'max-h-120 overflow-y-auto',
        )}
      >
        <code>{children}</code>
      </pre>
      <CopyButton
        value={value}
        label={`Copy ${label}`}
        isIconOnly
        className="absolute top-1 right-1"
      />
    </div>
  );
}

interface ArgvBlockProps {
  argv: readonly string[];
  /** Lines that differ from the active configuration are marked. */
  changedLines?: ReadonlySet<number>;
}

/** An argv, one flag per line, as it is started. Copies as one shell command. */
export function ArgvBlock({ argv, changedLines }: ArgvBlockProps) {
  const lines = argvLines(argv);
  return (
    <CodeBlock label="command" value={lines.join(' ')}>
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the same flag may come twice
          key={index}
          className={cn(
            'block',
            index > 0 && 'pl-4',
            changedLines?.has(index) && 'bg-wait-bg text-wait-fg',
          )}
        >
          {changedLines?.has(index) ? '~ ' : ''}
          {line}
          {index < lines.length - 1 ? <span className="text-text-3 select-none"> \</span> : null}
          {'\n'}
        </span>
      ))}
    </CodeBlock>
  );
}

/** Quotes one word for a POSIX shell only where it needs it. */
export function shellQuote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * An argv as lines to read: the program first, then each flag with its values on a line.
 * `['claude', '-p', '--model', 'opus']` gives `['claude', '-p', '--model opus']`.
 */
export function argvLines(argv: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [index, word] of argv.entries()) {
    const belongsToFlag = index > 1 && !word.startsWith('-') && lines.length > 1;
    if (belongsToFlag) lines[lines.length - 1] += ` ${shellQuote(word)}`;
    else lines.push(shellQuote(word));
  }
  return lines;
}
