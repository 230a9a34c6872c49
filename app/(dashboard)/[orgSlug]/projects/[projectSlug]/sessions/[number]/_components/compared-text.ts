import { formatDuration, formatSpan } from '@/lib/platform/format/duration';

/** A compared value as it is read: `ageSeconds` and 7200 is "age: 2h". */
export function comparedText(name: string, value: unknown): string {
  const unit =
    typeof value === 'number' ? UNITS.find(({ suffix }) => suffix.test(name)) : undefined;
  if (unit && typeof value === 'number') {
    return `${factWords(name.replace(unit.suffix, ''))}: ${unit.format(value)}`;
  }
  return `${factWords(name)}: ${valueText(name, value)}`;
}

const UNITS: { suffix: RegExp; format: (amount: number) => string }[] = [
  { suffix: /Seconds$/, format: formatSpan },
  { suffix: /Ms$/, format: formatDuration },
  { suffix: /Bytes$/, format: (bytes) => `${Number((bytes / 1_000_000).toFixed(1))} MB` },
];

/** The name of a fact as it is read: `isOwnerReachable` is "owner reachable". */
export function factWords(name: string): string {
  return name
    .replace(/^(is|has)(?=[A-Z])/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (/^(share|threshold)$/.test(name)) return `${Number((value * 100).toFixed(1))}%`;
    return value.toLocaleString('en');
  }
  if (typeof value === 'string') return value === '' ? '—' : value;
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
