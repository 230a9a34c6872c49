import type { AttemptPurpose } from '@/lib/protocol/spec';
import type { WorkKind } from './kind';
import { tierKind } from './tier/tier-kind';
import { turnKind } from './turn/turn-kind';

const KINDS: Record<AttemptPurpose, WorkKind> = {
  tier: tierKind,
  // A reconcile examines a tier's session and belongs to its chain.
  reconcile: tierKind,
  // It continues the conversation of its own session.
  continue: tierKind,
  ask: turnKind,
};

/**
 * Returns the kind of work of an attempt.
 *
 * @throws Error for an unknown purpose
 */
export function kindOf({ purpose }: { purpose: string }): WorkKind {
  const kind = KINDS[purpose as keyof typeof KINDS];
  if (!kind) throw new Error(`No kind of work has the purpose ${purpose}.`);
  return kind;
}
