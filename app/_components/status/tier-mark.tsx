import { cn } from '../ui/cn';

export type Tier = 1 | 2 | 3;

const WORDS: Record<Tier, string> = {
  1: 'Observe',
  2: 'Safe remediation',
  3: 'Full remediation',
};

const INK: Record<Tier, string> = { 1: 'text-tier-1', 2: 'text-tier-2', 3: 'text-tier-3' };

const BARS = [
  { x: 0.5, height: 5 },
  { x: 5.5, height: 8.5 },
  { x: 10.5, height: 12 },
] as const;

/** "Tier 2 · Safe remediation": these words are never paraphrased. */
export function tierName(tier: Tier): string {
  return `Tier ${tier} · ${WORDS[tier]}`;
}

interface TierMarkProps {
  tier: Tier;
  /** `short` is the glyph and "T2", for lists; `long` for headings. */
  form?: 'glyph' | 'short' | 'long';
  size?: 'sm' | 'md';
  className?: string;
}

/** The only renderer of a tier. Its accessible name is always the long form. */
export function TierMark({ tier, form = 'short', size = 'sm', className }: TierMarkProps) {
  const height = size === 'sm' ? 'h-3' : 'h-4';
  return (
    <span className={cn('inline-flex items-center gap-1.5 whitespace-nowrap', className)}>
      <svg
        viewBox="0 0 14 12.5"
        aria-hidden="true"
        className={cn('w-auto shrink-0 fill-none stroke-current', height, INK[tier])}
      >
        {BARS.map((bar, index) => (
          <rect
            key={bar.x}
            x={bar.x}
            y={12.25 - bar.height}
            width={3}
            height={bar.height - 0.25}
            rx={0.5}
            strokeWidth={0.8}
            fill={index < tier ? 'currentColor' : 'none'}
          />
        ))}
      </svg>
      {form === 'long' ? (
        <span>{tierName(tier)}</span>
      ) : (
        <>
          <span className="sr-only">{tierName(tier)}</span>
          {form === 'short' ? (
            <span aria-hidden className="font-medium tabular-nums">
              T{tier}
            </span>
          ) : null}
        </>
      )}
    </span>
  );
}
