import type { AttemptSeal } from '@/lib/insight/sessions/schema';

const WORDS: Record<Exclude<AttemptSeal['state'], 'kept'>, string> = {
  secrets: 'Not kept: it contains something that the runner redacts',
  too_large: 'Not kept: it is too large',
  damaged: 'Damaged: it can’t be continued on another host',
  missing: 'Missing from the storage',
  expired: 'Expired',
  // The runner sends it after the result, so it may still be on its way.
  none: 'None has arrived',
};

/** Says what is kept of a conversation for other hosts; the time until when is not in it. */
export function sealWords(seal: AttemptSeal | null): string {
  if (seal === null) return '—';
  if (seal.state !== 'kept') return WORDS[seal.state];
  return `${sizeWords(seal.bytes)}, ${sizeWords(seal.storedBytes)} stored`;
}

function sizeWords(bytes: number | null): string {
  if (bytes === null) return 'unknown size';
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
