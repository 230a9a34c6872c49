import { encodeId } from '@/lib/platform/ids';
import type { StartSpec } from '@/lib/protocol/spec';
import type { RecoveredFrom } from './schema';

/** Whose checkpoint a start got to read, with the words of it. */
export function recoveredFrom(start: StartSpec | null): RecoveredFrom | null {
  if (!start?.recovery) return null;
  const { checkpointId, sessionId, label, lineage, at, section } = start.recovery;
  return {
    checkpointId: encodeId('chk', checkpointId),
    sessionId: encodeId('ses', sessionId),
    sessionNumber: Number.parseInt(label.slice(1), 10),
    label,
    lineage,
    at,
    section: section.trim(),
  };
}
