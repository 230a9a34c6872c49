import type { ActionError } from '@/app/_actions/result';

/** Returns the number of the chain that keeps another one from starting; null for other errors. */
export function runningChainOf({ conflict }: Pick<ActionError, 'conflict'>): number | null {
  return typeof conflict?.number === 'number' ? conflict.number : null;
}
