/** The facts that a turn's start is decided and built from, read in the claim's transaction. */

import { type Predecessor, readPredecessor } from '@/lib/engine/attempt/context-data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { Spending } from '@/lib/engine/budget';
import { type EarlierFacts, readEarlier } from '@/lib/engine/ending/tool-calls';
import { getSpending } from '@/lib/engine/ledger-data';
import { cliVersionOf } from '@/lib/fleet/capabilities';
import { recordOf } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { getConfig } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { decidedOf } from '../questions';
import type { Transcript } from '../transcript';
import { listSessionsOfChain, listTurnsBefore, readTurnContext, type TurnContext } from './data';
import { agentOf } from './decision-input';

export interface TurnFacts extends Omit<TurnContext, 'runner'>, Predecessor, EarlierFacts {
  runner: NonNullable<TurnContext['runner']>;
  live: ProjectConfig;
  /** The configuration of the conversation that the turn may continue. */
  held: ProjectConfig | null;
  transcript: Transcript;
  spending: Spending;
}

/** Loads the facts of a locked attempt. `scope` is that of the claiming runner. */
export async function loadTurnFacts(
  db: TenantDb,
  { actor }: TenantScope,
  attempt: AttemptRow,
  now: Date,
): Promise<TurnFacts> {
  const context = await readTurnContext(db, attempt.sessionId, actor.id);
  const { session, project, runner } = context;
  if (!runner) throw new NotFoundError();
  const live = await getConfig(db, project.id, project.currentVersion);
  const harness = agentOf({ turn: context.turn, live })?.harness ?? live.harness;
  const earlier = await readEarlier(db, attempt, harness);
  const { isContinuation } = earlier;
  const predecessor = await readPredecessor(
    db,
    isContinuation ? session.id : session.parentSessionId,
    { harness, cliVersion: cliVersionOf(runner.capabilities, harness) },
  );
  const { pointer } = predecessor;
  return {
    ...context,
    ...predecessor,
    ...earlier,
    previous: isContinuation ? context.turn : context.previous,
    runner,
    live,
    held: pointer ? await getConfig(db, project.id, pointer.projectVersion) : null,
    transcript: await loadTranscript(db, context),
    spending: await getSpending(db, project.id, null, now),
  };
}

async function loadTranscript(db: TenantDb, { turn, chain }: TurnContext): Promise<Transcript> {
  const { text, value } = createRedactor({ secrets: [] });
  const turns = await listTurnsBefore(db, turn);
  const sessions = chain ? await listSessionsOfChain(db, chain.id) : [];
  return {
    chain: chain && {
      label: `Chain #${chain.number}`,
      outcome: text(chain.statusText),
      parts: sessions.map((session) => ({
        label: `Tier ${session.tier}, Session #${session.number}`,
        statusText: text(session.statusText),
        report: recordOf(value(recordOf(session.report))),
      })),
    },
    turns: turns.map(({ author, agent, message, answer, questions }) => ({
      author,
      agent,
      message: text(message),
      answer: answer && text(answer),
      decided: questions.flatMap(decidedOf),
    })),
  };
}
