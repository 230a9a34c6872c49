import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { agentsOf } from '@/lib/projects/ask-agents';
import { requireProject } from '@/lib/projects/manage-project';
import { getConfig } from '@/lib/projects/project-rows';
import {
  figuresOf,
  findLastAgent,
  findTurnOfSession,
  getConversationRow,
  getTurnRow,
  listConversationRows,
  listTurnRows,
} from './data';
import type { ConversationDetail, ConversationDto, TurnDto } from './schema';
import { toConversationDto, toTurnDto } from './to-dto';

const positionSchema = z.tuple([z.iso.datetime(), z.uuid()]);

/**
 * Returns the conversations of a project (`prj_…` or slug), of a chain (`chn_…`), or all, most
 * recently active first.
 */
export function listConversations(
  scope: TenantScope,
  input: {
    project?: string | undefined;
    chain?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ data: ConversationDto[]; nextCursor: string | null }> {
  const position = decodeCursor(input.cursor, positionSchema);
  const before = position && { at: new Date(position[0]), id: position[1] };
  return inSnapshot(scope, async (db) => {
    const project = input.project ? await requireProject(db, input.project) : null;
    const filter = {
      projectId: project?.id ?? null,
      chainId: input.chain ? requireId('chn', input.chain) : null,
    };
    const found = await listConversationRows(db, filter, { limit: input.limit, before });
    const { rows, nextCursor } = pageOf(found, input.limit, (row) => [row.lastTurnAt, row.id]);
    const ids = rows.map(({ id }) => id);
    const figures = await figuresOf(db, ids);
    return { data: rows.map((row) => toConversationDto(row, figures.get(row.id))), nextCursor };
  });
}

/** Returns one conversation and the agents available in it. Throws NotFoundError. */
export function getConversation(
  scope: TenantScope,
  conversationId: string,
): Promise<ConversationDetail> {
  const id = requireId('cnv', conversationId);
  return inSnapshot(scope, async (db) => {
    const row = await getConversationRow(db, id);
    const figures = await figuresOf(db, [id]);
    const agents = agentsOf(await getConfig(db, row.projectId, row.project.currentVersion));
    const last = await findLastAgent(db, id);
    const next = agents.find(({ name }) => name === last) ?? agents[0];
    return {
      ...toConversationDto(row, figures.get(id)),
      agents: [...agents],
      nextAgent: next?.name ?? '',
    };
  });
}

/**
 * Returns the turns in order. `withCut`: include turns removed from the history. Throws
 * NotFoundError.
 */
export function listTurns(
  scope: TenantScope,
  conversationId: string,
  { withCut }: { withCut: boolean },
): Promise<TurnDto[]> {
  const id = requireId('cnv', conversationId);
  return inSnapshot(scope, async (db) => {
    await getConversationRow(db, id);
    return (await listTurnRows(db, id, withCut)).map(toTurnDto);
  });
}

/** Throws NotFoundError. */
export function getTurn(
  scope: TenantScope,
  conversationId: string,
  turnId: string,
): Promise<TurnDto> {
  const where = { id: requireId('trn', turnId), conversationId: requireId('cnv', conversationId) };
  return inSnapshot(scope, async (db) => toTurnDto(await getTurnRow(db, where)));
}

/** Returns the conversation and turn of a session; null if the session isn't a turn. */
export function findTurnPlace(
  scope: TenantScope,
  { project, number }: { project: string; number: number },
): Promise<{ conversationId: string; position: number } | null> {
  return inSnapshot(scope, async (db) => {
    const { id: projectId } = await requireProject(db, project);
    const turn = await findTurnOfSession(db, { projectId, number });
    return (
      turn && {
        conversationId: encodeId('cnv', turn.conversationId),
        position: turn.position,
      }
    );
  });
}
