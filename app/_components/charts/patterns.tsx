import { type Fill, inkOf, patternId } from './fill';

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
