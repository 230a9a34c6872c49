/**
 * Shortens an opaque id in its middle, keeping the prefix readable: `ses_7Kq2…m4Xa`. A UUID
 * keeps its first group: `f1647ee4…`. Anything of up to 14 characters stays whole.
 */
export function middleCut(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id)) return `${id.slice(0, 8)}…`;
  if (id.length <= 14) return id;
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
  return `${id.slice(0, prefix.length + 4)}…${id.slice(-4)}`;
}
