import { v7 as uuidv7 } from 'uuid';
import { getSpending } from '@/lib/engine/ledger-data';
import { refusalText } from '@/lib/engine/start-policy/gate';
import { canAskOf, tooOldToAsk } from '@/lib/fleet/capabilities';
import { queueOf } from '@/lib/fleet/queues';
import { isReachable } from '@/lib/fleet/status';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError, PreconditionFailedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { type AskAgent, agentsOf } from '@/lib/projects/ask-agents';
import { findPool, getConfig, getProjectRow } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import {
  findHolder,
  findNewestSession,
  insertTurn,
  leavesConversation,
  listRunnersOfPool,
} from './data';
import { HOST_WAIT_SECONDS } from './settle/settle-turn';
import { turnGate } from './turn-gate';

export interface AddedTurn {
  /** UUID. */
  turnId: string;
  position: number;
  agent: string;
  /** The wake-up job to enqueue after the commit. */
  /** To enqueue once the transaction is committed. */
  job: { queue: string; attemptId: string };
}

/** The conversation to which a turn is added. Ids are UUIDs. */
interface TurnPlace {
  id: string;
  projectId: string;
  /** The chain that the conversation is about; null for the project as a whole. */
  chainId: string | null;
  /** The turns that aren't cut, oldest first. */
  history: readonly {
    id: string;
    sessionId: string;
    agent: string;
    position: number;
    answer: string | null;
    session: { endedAt: Date | null };
  }[];
  /** Returns how often the history that an agent sees was changed. */
  epochOf(agent: string): Promise<number>;
}

export interface TurnRequest {
  message: string;
  /** One of the project's agents; if left out, the one that answered last. */
  agent?: string | undefined;
  forceFresh: boolean;
}

/**
 * Queues the next turn of a conversation that the caller has locked.
 *
 * @throws ConflictError while a turn of it runs
 * @throws PreconditionFailedError if nothing may start now
 */
export async function addTurn(
  db: TenantDb,
  scope: TenantScope,
  conversation: TurnPlace,
  request: TurnRequest,
  now: Date,
): Promise<AddedTurn> {
  const { history } = conversation;
  const live = history.find(({ session }) => session.endedAt === null);
  if (live) {
    throw new ConflictError('The agent is still answering. Wait for it, or stop it.', {
      turnId: encodeId('trn', live.id),
    });
  }
  const project = await getProjectRow(db, conversation.projectId);
  const config = await getConfig(db, project.id, project.currentVersion);
  const last = history.at(-1) ?? null;
  const agent = chooseAgent(config, request.agent, last?.agent ?? null);
  const poolId = await requireStartable(db, project, config, now);
  const parentSessionId = last?.sessionId ?? (await chainSession(db, conversation));
  const canResume = !request.forceFresh && (last === null || leavesConversation(last));
  const holder = parentSessionId && canResume ? await findHolder(db, parentSessionId) : null;
  const row = {
    turnId: uuidv7(),
    sessionId: uuidv7(),
    attemptId: uuidv7(),
    projectId: project.id,
    conversationId: conversation.id,
    position: (last?.position ?? 0) + 1,
    agent: agent.name,
    author: scope.actor.label,
    message: createRedactor({ secrets: [] }).text(request.message),
    isForcedFresh: request.forceFresh,
    epoch: await conversation.epochOf(agent.name),
    model: agent.model,
    projectVersion: project.currentVersion,
    parentSessionId,
    poolId,
    requiredRunnerId:
      isReachable(holder, now) && canAskOf(holder?.capabilities) ? (holder?.id ?? null) : null,
    waitUntil: new Date(now.getTime() + HOST_WAIT_SECONDS * 1_000),
  };
  await insertTurn(db, row, now);
  const { turnId, position, attemptId } = row;
  return { turnId, position, agent: agent.name, job: { queue: queueOf(row), attemptId } };
}

/** Returns the named agent, otherwise the one that answered last, otherwise the first. */
function chooseAgent(
  config: ProjectConfig,
  wanted: string | undefined,
  lastAgent: string | null,
): AskAgent {
  const agents = agentsOf(config);
  const named = (name: string | null) => agents.find((agent) => agent.name === name);
  const chosen = wanted === undefined ? (named(lastAgent) ?? agents[0]) : named(wanted);
  if (chosen) return chosen;
  const names = agents.map(({ name }) => name).join(', ');
  const message = `This project has no agent named ${wanted}. It has ${names}.`;
  throw new InvalidError(message, { agent: message });
}

async function chainSession(db: TenantDb, { chainId }: TurnPlace): Promise<string | null> {
  const session = chainId ? await findNewestSession(db, chainId) : null;
  return session?.id ?? null;
}

/** @returns the pool that will run it */
async function requireStartable(
  db: TenantDb,
  project: Awaited<ReturnType<typeof getProjectRow>>,
  config: ProjectConfig,
  now: Date,
): Promise<string> {
  const organization = await db.organization.findFirstOrThrow({});
  const pool = await findPool(db, db.organizationId, config.runnerPool);
  const spending = await getSpending(db, project.id, null, now);
  const gate = turnGate({ organization, project, config, spending, hasPool: pool !== null }, now);
  if (gate) throw new PreconditionFailedError(refusalText(gate));
  if (!pool) throw new Error('A missing pool closes its gate.');
  await requireAble(db, pool);
  return pool.id;
}

/**
 * Refuses the turn if every runner of the pool is known to be too old, so that nobody waits for an
 * answer that can't come.
 */
async function requireAble(db: TenantDb, pool: { id: string; name: string }): Promise<void> {
  const runners = await listRunnersOfPool(db, pool.id);
  const isKnownOld = ({ capabilities }: { capabilities: unknown }) =>
    capabilities !== null && !canAskOf(capabilities);
  if (runners.length === 0 || !runners.every(isKnownOld)) return;
  throw new PreconditionFailedError(tooOldToAsk(pool.name, runners));
}
