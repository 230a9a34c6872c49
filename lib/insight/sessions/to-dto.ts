import { z } from 'zod';
import { passedOf } from '@/lib/engine/continuation/decide';
import { RUNNER_CHECKS } from '@/lib/engine/continuation/guards/matrix';
import { currentWait, sessionKindSchema, sessionStatusSchema } from '@/lib/engine/statuses';
import { recordOf } from '@/lib/platform/db/raw';
import { usdOf } from '@/lib/platform/format/cost';
import { encodeId } from '@/lib/platform/ids';
import type { StartSpec } from '@/lib/protocol/spec';
import type {
  AttemptWithHost,
  DecisionRow,
  HandoffRow,
  ListedSessionRow,
  RunnerChecksRow,
  SessionCost,
  SessionEventRow,
  SessionRow,
} from './data';
import {
  type AttemptSeal,
  attemptSealSchema,
  contextUseSchema,
  type DecisionDto,
  decisionSchema,
  type GuardDto,
  guardSchema,
  type HandoffDto,
  type ListedSession,
  type RecoveredFrom,
  type SessionEventDto,
  type SessionItem,
} from './schema';

export function toSessionItem(row: SessionRow, cost: SessionCost | undefined): SessionItem {
  return {
    ...ownOf(row, cost),
    chainId: encodeId('chn', row.chainId),
    chainNumber: row.chain.number,
  };
}

export function toListedSession(
  row: ListedSessionRow,
  cost: SessionCost | undefined,
): ListedSession {
  const { chainId, chain, turn } = row;
  return {
    ...ownOf(row, cost),
    kind: sessionKindSchema.parse(row.kind),
    chainId: chainId && encodeId('chn', chainId),
    chainNumber: chain?.number ?? null,
    conversation:
      turn?.conversation.deletedAt === null
        ? { id: encodeId('cnv', turn.conversationId), position: turn.position }
        : null,
  };
}

/** What is a session's own, whatever it belongs to. */
function ownOf(row: SessionRow | ListedSessionRow, cost: SessionCost | undefined) {
  const [child] = row.children;
  return {
    ...refOf(row),
    project: { ...row.project, id: encodeId('prj', row.project.id) },
    status: sessionStatusSchema.parse(row.status),
    statusText: row.statusText,
    waitReason: currentWait(row),
    model: row.model,
    mechanism: row.mechanism,
    fallback: row.isFallback,
    parentSessionId: row.parentSessionId && encodeId('ses', row.parentSessionId),
    parent: row.parent && refOf(row.parent),
    child: child ? refOf(child) : null,
    cliSessionId: row.cliSessionId,
    turns: row.turns,
    costUsd: usdOf(cost?.micros),
    isCostEstimated: cost?.isEstimated ?? false,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    durationMs:
      row.startedAt && row.endedAt ? row.endedAt.getTime() - row.startedAt.getTime() : null,
  };
}

function refOf(row: { id: string; number: number; tier: number }) {
  return { id: encodeId('ses', row.id), number: row.number, tier: row.tier };
}

/**
 * What the facts of a decision hold depends on its kind; the known parts get fields of their own.
 *
 * @param checks of the attempts around it: what their runners compared before they started
 */
export function toDecisionDto(row: DecisionRow, checks: readonly RunnerChecksRow[]): DecisionDto {
  const { guards, context, ...facts } = recordOf(row.facts) ?? {};
  const use = contextUseSchema.safeParse(context);
  return {
    id: encodeId('dec', row.id),
    sessionId: encodeId('ses', row.sessionId),
    attemptId: row.attemptId && encodeId('att', row.attemptId),
    kind: decisionSchema.shape.kind.parse(row.kind),
    verdict: row.verdict,
    reason: row.reason,
    sentence: row.sentence,
    threshold: use.success ? use.data.threshold : null,
    context: use.success ? use.data : null,
    guards: toGuards(guards, checks.find(({ attemptId }) => attemptId === row.attemptId) ?? null),
    facts,
    at: row.createdAt.toISOString(),
  };
}

export function toHandoffDto(row: HandoffRow): HandoffDto {
  return {
    fromSessionId: encodeId('ses', row.sessionId),
    toTier: row.toTier,
    source: row.source === 'file' ? 'file' : 'built',
    payload: recordOf(row.payload) ?? {},
    createdAt: row.createdAt.toISOString(),
  };
}

export function toSessionEventDto(row: SessionEventRow): SessionEventDto {
  return {
    seq: row.seq,
    attemptId: row.attemptId && encodeId('att', row.attemptId),
    kind: row.kind,
    at: row.at.toISOString(),
    isLate: row.isLate,
    payload: recordOf(row.payload) ?? {},
  };
}

/** As stored; versions before November 2026 stored `passed` alone. */
const storedSchema = guardSchema.extend({
  state: guardSchema.shape.state.optional(),
  unknown: guardSchema.shape.unknown.optional(),
});

/** Guards that those versions showed as passed although they had no fact to compare. */
const WITHOUT_FACTS = ['G17', 'G21', 'G22'];
const NEVER_CHECKED = 'The version of Tierwatch that made this decision did not record this fact.';

/**
 * Returns the guards of a stored decision in evaluation order, completed by what the runner
 * compared right before it started the process.
 *
 * @param stored the decision's `guards`; anything else returns an empty list
 * @param attempt the attempt that the decision was for
 */
function toGuards(stored: unknown, attempt: RunnerChecksRow | null): GuardDto[] {
  const { data } = z.array(storedSchema).safeParse(stored);
  const verified = z.array(z.string()).safeParse(attempt?.verified).data ?? [];
  return (data ?? []).map((guard) => {
    const unknown = guard.unknown ?? {};
    if (guard.state === undefined) return fromEarlierVersion(guard);
    const check = RUNNER_CHECKS.find(({ id }) => id === guard.id);
    const isChecked = check && guard.state === 'not_checked';
    if (isChecked && attempt?.end === check.end) return answered(guard, 'stopped');
    if (isChecked && verified.includes(check.fact)) return answered(guard, 'passed');
    return { ...guard, state: guard.state, unknown };
  });
}

type Stored = z.infer<typeof storedSchema>;

function answered({ id, name, compared }: Stored, state: GuardDto['state']): GuardDto {
  return { id, name, compared, state, passed: passedOf(state), unknown: {} };
}

function fromEarlierVersion(guard: Stored): GuardDto {
  if (guard.passed === null) return answered(guard, 'not_reached');
  if (!guard.passed) return answered(guard, 'stopped');
  if (!WITHOUT_FACTS.includes(guard.id)) return answered(guard, 'passed');
  const unknown = Object.fromEntries(
    Object.keys(guard.compared).map((fact) => [fact, NEVER_CHECKED]),
  );
  return { ...answered(guard, 'not_checked'), unknown };
}

/** Returns the checkpoint that was included in a start, with its text. */
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

const NOTHING = { bytes: null, storedBytes: null, keptUntil: null };

/** Returns what is kept of an attempt's conversation; null if the attempt hasn't ended. */
export function attemptSealOf(
  { status, sealRefusal, seals }: Pick<AttemptWithHost, 'status' | 'sealRefusal' | 'seals'>,
  now: Date,
): AttemptSeal | null {
  const [seal] = seals;
  const { state } = attemptSealSchema.shape;
  if (seal && seal.expiresAt > now) {
    return {
      state: state.parse(seal.fault ?? 'kept'),
      bytes: seal.bytes,
      storedBytes: seal.storedBytes,
      keptUntil: seal.expiresAt.toISOString(),
    };
  }
  if (seal) return { state: 'expired', ...NOTHING };
  if (sealRefusal) return { state: state.parse(sealRefusal), ...NOTHING };
  return status === 'ended' ? { state: 'none', ...NOTHING } : null;
}
