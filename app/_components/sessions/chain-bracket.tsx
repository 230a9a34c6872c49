/** Where a row stands in its chain; the newest session is on top. */
export type BracketPart = 'alone' | 'start' | 'middle' | 'end';

const PATHS: Record<Exclude<BracketPart, 'alone'>, string> = {
  start: 'M12 50 H6 V100',
  middle: 'M6 0 V100 M6 50 H12',
  end: 'M6 0 V50 H12',
};

const NAMES: Record<Exclude<BracketPart, 'alone'>, string> = {
  start: 'newest of its chain',
  middle: 'of the same chain',
  end: 'first of its chain',
};

/** A line that ties the rows of a chain together; it fills the height of its row. */
export function ChainBracket({ part }: { part: BracketPart }) {
  if (part === 'alone') return null;
  return (
    <svg
      role="img"
      aria-label={NAMES[part]}
      viewBox="0 0 12 100"
      preserveAspectRatio="none"
      className="absolute -top-px left-3 h-[calc(100%+2px)] w-3 fill-none stroke-control"
    >
      <path d={PATHS[part]} vectorEffect="non-scaling-stroke" strokeWidth={1.5} />
    </svg>
  );
}
