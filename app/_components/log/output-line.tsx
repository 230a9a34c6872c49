import { cn } from '../ui/cn';
import { SafeText } from '../ui/safe-text';
import { type AnsiColor, parseAnsi } from './ansi';

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
export function OutputLine({ line }: { line: string }) {
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
