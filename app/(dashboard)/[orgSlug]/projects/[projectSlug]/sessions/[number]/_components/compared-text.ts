/** A compared value as it is read: `ageSeconds` and 7200 is "age seconds: 7,200". */
export function comparedText(name: string, value: unknown): string {
  return `${wordsOf(name)}: ${valueText(name, value)}`;
}

function wordsOf(name: string): string {
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
