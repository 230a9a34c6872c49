import { z } from 'zod';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { commandStateSchema } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/manage-project';
import { commandKey, hasSession, listApprovalsOf, listRows, type ShownRow } from './data';
import type { CommandDto, CommandQuery, ShownCommandState } from './schema';

/**
 * Returns the commands that confined agents asked their brokers for, newest first.
 *
 * @throws NotFoundError for a project, chain or session that isn't the organization's
 */
export function listCommands(
  scope: TenantScope,
  input: CommandQuery,
): Promise<{ data: CommandDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(input.cursor, z.uuid());
  const { limit, state, mayChange, from, to } = input;
  return inTransaction(scope, async (db) => {
    const projectId = input.project ? (await requireProject(db, input.project)).id : undefined;
    const chainId = input.chain ? requireId('chn', input.chain) : undefined;
    const sessionId = input.session ? requireId('ses', input.session) : undefined;
    if (chainId) await getChainRow(db, chainId);
    if (sessionId && !(await hasSession(db, sessionId))) throw new NotFoundError();
    const since = from ? new Date(from) : undefined;
    const until = to ? new Date(to) : undefined;
    const filter = { projectId, chainId, sessionId, state, mayChange, since, until };
    const found = await listRows(db, filter, { take: limit + 1, beforeId });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    const approvals = await listApprovalsOf(
      db,
      rows.map((row) => row.attemptId),
    );
    const used = new Map(approvals.map(({ id, usedBy }) => [usedBy, id]));
    const requested = new Map(approvals.map(({ id, requestedBy }) => [requestedBy, id]));
    const data = rows.map((row) => {
      const key = commandKey(row.attemptId, row.number);
      return toDto(row, used.get(key) ?? requested.get(key) ?? null);
    });
    return { data, nextCursor };
  });
}

/** Redacted again, since a secret may have become known after it was stored. */
function toDto(row: ShownRow, approvalId: string | null): CommandDto {
  const { text } = createRedactor({ secrets: [] });
  const { project, session, attempt } = row;
  const { chain, ...sessionRef } = session;
  const { runner } = attempt;
  return {
    id: encodeId('cmd', row.id),
    state: shownState(row),
    argv: z.array(z.string()).parse(row.argv).map(text),
    rule: row.rule,
    mayChange: row.mayChange,
    refusal:
      row.refusalCode === null
        ? null
        : { code: row.refusalCode, message: text(row.refusalMessage ?? '') },
    exitCode: row.exitCode,
    signal: row.signal,
    error: row.error === null ? null : text(row.error),
    durationMs: row.durationMs,
    outputBytes: row.outputBytes === null ? null : Number(row.outputBytes),
    requestedAt: row.requestedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    project: { ...project, id: encodeId('prj', project.id) },
    chain: chain && { ...chain, id: encodeId('chn', chain.id) },
    session: { ...sessionRef, id: encodeId('ses', session.id) },
    attempt: { id: encodeId('att', attempt.id), number: attempt.number },
    runner: runner && { ...runner, id: encodeId('rnr', runner.id) },
    number: row.number,
    approvalId: approvalId && encodeId('apr', approvalId),
  };
}

function shownState({ state, attempt }: ShownRow): ShownCommandState {
  const stored = commandStateSchema.parse(state);
  return stored === 'started' && attempt.endedAt !== null ? 'unknown' : stored;
}
