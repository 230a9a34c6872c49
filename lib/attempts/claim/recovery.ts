import {
  type RecoveredCheckpoint,
  type RecoveryCandidate,
  renderRecovery,
} from '@/lib/checkpoints/recovery';
import type { CheckpointSettings } from '@/lib/checkpoints/settings';
import { createRedactor } from '@/lib/redaction/redactor';
import type { Recovery } from '@/lib/runner-protocol/spec';

/** What a start gets to read of an earlier session, and which checkpoint it came from. */
export interface StartRecovery {
  section: string;
  recovery: Recovery;
}

/** Null where the budget leaves no room for a word of it. */
export function startRecovery(
  chosen: RecoveryCandidate & RecoveredCheckpoint & { sessionId: string },
  { recoveryBudgetChars }: Pick<CheckpointSettings, 'recoveryBudgetChars'>,
): StartRecovery | null {
  const digest = createRedactor({ secrets: [] }).text(chosen.digest);
  const section = renderRecovery({ ...chosen, digest }, recoveryBudgetChars);
  if (section === '') return null;
  const { checkpointId, sessionId, label, lineage, at } = chosen;
  const recovery = { checkpointId, sessionId, label, lineage, at: at.toISOString() };
  return { section, recovery: { ...recovery, chars: section.length } };
}
