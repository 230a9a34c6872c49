import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { vi } from 'vitest';

/** A resolver that gives these answers one by one, the last one again and again. Counts its calls. */
export function scriptedResolver(...answers: string[][]) {
  return vi.fn(async (): Promise<LookupAddress[]> => {
    const next = answers.length > 1 ? answers.shift() : answers[0];
    return (next ?? []).map((address) => ({ address, family: isIP(address) }));
  });
}
