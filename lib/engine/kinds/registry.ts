import type { WorkKind } from './kind';
import { tierKind } from './tier/tier-kind';
import { turnKind } from './turn/turn-kind';

const KINDS: Record<'tier' | 'reconcile' | 'ask', WorkKind> = {
  tier: tierKind,
  // Another look at a tier's session, which belongs to its chain.
  reconcile: tierKind,
  ask: turnKind,
};

/** @throws Error for a purpose that isn't known */
export function kindOf({ purpose }: { purpose: string }): WorkKind {
  const kind = KINDS[purpose as keyof typeof KINDS];
  if (!kind) throw new Error(`No kind of work has the purpose ${purpose}.`);
  return kind;
}
