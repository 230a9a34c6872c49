/** What a mark is filled with: a tone or a tier, and a form that says the same without colour. */
export interface Fill {
  color:
    | 'ok'
    | 'run'
    | 'wait'
    | 'bad'
    | 'idle'
    | 'tier-1'
    | 'tier-2'
    | 'tier-3'
    | 'text'
    | 'text-2';
  form: 'solid' | 'striped' | 'hollow';
}

export function tierFill(tier: 1 | 2 | 3): Fill {
  return { color: `tier-${tier}`, form: tier === 2 ? 'striped' : 'solid' };
}

/** The token of the colour. */
export function inkOf({ color }: Fill): string {
  const isTone = !color.startsWith('tier') && !color.startsWith('text');
  return `var(--${color}${isTone ? '-mark' : ''})`;
}

/** Of the pattern inside one picture. */
function patternId(scope: string, { color }: Fill): string {
  return `${scope}-${color}-striped`;
}

export function paintOf(scope: string, fill: Fill): string {
  if (fill.form === 'striped') return `url(#${patternId(scope, fill)})`;
  return fill.form === 'solid' ? inkOf(fill) : 'var(--surface)';
}

interface PatternsProps {
  scope: string;
  fills: readonly Fill[];
}

/** Stripes of 45°, 4 px apart: they tell two series apart where colours can't. */
export function Patterns({ scope, fills }: PatternsProps) {
  const striped = fills.filter((fill) => fill.form === 'striped');
  return (
    <defs>
      {[...new Map(striped.map((fill) => [fill.color, fill])).values()].map((fill) => (
        <pattern
          key={fill.color}
          id={patternId(scope, fill)}
          width={4}
          height={4}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width={4} height={4} fill="var(--surface)" />
          <rect width={2.4} height={4} fill={inkOf(fill)} />
        </pattern>
      ))}
    </defs>
  );
}
