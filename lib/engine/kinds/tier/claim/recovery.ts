import {
  type RecoveredCheckpoint,
  type RecoveryCandidate,
  renderRecovery,
} from '@/lib/engine/checkpoints/recovery';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';
import type { Recovery } from '@/lib/protocol/spec';

/** What a start gets to read of an earlier session. Null where the budget leaves no room for a word. */
export function startRecovery(
  chosen: RecoveryCandidate & RecoveredCheckpoint & { sessionId: string },
  { recoveryBudgetChars }: Pick<CheckpointSettings, 'recoveryBudgetChars'>,
): Recovery | null {
  const section = renderRecovery(redacted(chosen), recoveryBudgetChars);
  if (section === '') return null;
  const { checkpointId, sessionId, label, lineage, at } = chosen;
  return { checkpointId, sessionId, label, lineage, at: at.toISOString(), section };
}

function redacted(checkpoint: RecoveredCheckpoint): RecoveredCheckpoint {
  const { text } = createRedactor({ secrets: [] });
  return {
    ...checkpoint,
    digest: text(checkpoint.digest),
    remembered: checkpoint.remembered.map(text),
  };
}
