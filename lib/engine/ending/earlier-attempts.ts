import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { HarnessName } from '@/lib/protocol/spec';
import type { AttemptRow } from '../attempt/data';
import type { ToolCallFact } from '../continuation/tool-calls';
import { listSessionFacts } from './data';
import { toolCallsOf } from './tool-calls';

/** How a start relates to the earlier attempts of its session. */
export interface EarlierFacts {
  /** It is to continue the session's own conversation, so the session itself is the `parent`. */
  isContinuation: boolean;
  /** An earlier attempt of the session has continued it. */
  hasContinued: boolean;
  /** Calls of the session's earlier attempts, late events included; null for a first attempt. */
  earlierCalls: readonly ToolCallFact[] | null;
}

/** Reads the earlier attempts of a locked attempt's session. */
export async function readEarlier(
  db: TenantDb,
  organizationId: OrganizationId,
  { id, sessionId, number, purpose }: AttemptRow,
  harness: HarnessName,
): Promise<EarlierFacts> {
  const isContinuation = purpose === 'continue';
  const others = { sessionId, purpose: 'continue', id: { not: id } };
  const facts = number > 1 ? await listSessionFacts(db, organizationId, sessionId) : null;
  return {
    isContinuation,
    hasContinued: isContinuation && (await db.attempt.count({ where: others })) > 0,
    earlierCalls:
      facts &&
      toolCallsOf(
        facts.flatMap(({ attemptId, event }) => (attemptId === id ? [] : event)),
        harness,
      ),
  };
}
