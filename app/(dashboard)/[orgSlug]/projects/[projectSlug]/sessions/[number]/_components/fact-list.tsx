import { comparedText } from './compared-text';

/** Said in sentences of their own. */
const ELSEWHERE = ['advisories'];

/** What a decision compared besides its guards. */
export function FactList({ facts }: { facts: Record<string, unknown> }) {
  const shown = Object.entries(facts).filter(
    ([name, value]) =>
      value !== null && !(Array.isArray(value) && value.length === 0) && !ELSEWHERE.includes(name),
  );
  if (shown.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2 tabular-nums">
      {shown.map(([name, value]) => (
        <span key={name}>{comparedText(name, value)}</span>
      ))}
    </p>
  );
}
