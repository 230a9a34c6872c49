import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type NamedService, namedServices } from '@/lib/projects/service-names';
import type {
  ApprovalRequest,
  AuthorizeCommandRequest,
  AuthorizeCommandResponse,
} from '@/lib/protocol/commands';
import { listProjectSignals } from '@/lib/signals/signal-rows';
import { askApproval } from '../approvals/ask-approval';
import { listOfSession, listRefusals, toCommandApproval } from '../approvals/data';
import { isRefusedByPerson, type Judgement, judgeCommand } from '../approvals/judge';
import { noteRefused } from '../approvals/note-refused';
import { type Refusal, refusalOfCommand, refusalSentence } from '../approvals/refusals';
import { withdrawPending } from '../approvals/withdraw';
import { findStanding, type Standing } from '../attempt/context-data';
import { type AttemptRow, isCurrentRun, lockAttempt } from '../attempt/data';
import { getChainRow } from '../chains/chain-rows';
import {
  commandEvidence,
  listCountedActions,
  lockActions,
  recordActions,
} from '../cooldowns/action-rows';
import { actionsOfArgv, type CooldownPair, servicesNamed } from '../cooldowns/rules';
import { cooldownSentence, cooldownState } from '../cooldowns/state';
import { provenHealthy } from '../escalation/claim';
import { listCheckResults } from '../events/data';
import { recordNotices } from '../events/notices';

type Answer = AuthorizeCommandResponse;

/** What the answer to a request leads to, in its transaction. */
interface Authorized {
  answer: Answer;
  jobs: PendingJob[];
}

/**
 * Decides whether a brokered command may run now, and counts it for cooldowns before it does. Commands
 * of one project are decided one after the other, so that two of them can't both take the last use.
 *
 * @returns null if the attempt isn't this runner's
 */
export async function authorizeCommand(
  scope: TenantScope,
  attemptId: string,
  request: AuthorizeCommandRequest,
  now = new Date(),
): Promise<Answer | null> {
  const authorized = await inTransaction(scope, async (db): Promise<Authorized | null> => {
    const attempt = await lockAttempt(db, attemptId);
    if (!attempt || attempt.runnerId !== scope.actor.id) return null;
    const held = heldBack(attempt, request.fence, now);
    return held ? only(held) : decide(db, scope, attempt, request, now);
  });
  await enqueueAll(authorized?.jobs ?? []);
  return authorized?.answer ?? null;
}

function heldBack(attempt: AttemptRow, fence: number, now: Date): Answer | null {
  const isLeased = attempt.leaseExpiresAt !== null && attempt.leaseExpiresAt > now;
  if (!isCurrentRun(attempt, fence) || !isLeased) {
    return refused('fenced', 'This attempt is no longer this runner’s.');
  }
  if (attempt.stopRequestedAt === null) return null;
  return refused('stopping', 'This attempt is being stopped.');
}

/**
 * People's refusals first, also those of other tiers and chains of the incident, unless people decide about
 * the request itself: it waits for them, or they approved it later. Then cooldowns, before approval: nobody
 * is asked about a command that couldn't run anyway.
 */
async function decide(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  request: AuthorizeCommandRequest,
  now: Date,
): Promise<Authorized> {
  const { projectId, sessionId } = attempt;
  const { number, argv, approval } = request;
  const own = { attemptId: attempt.id, commandNumbers: [number] };
  if (approval?.isWithdrawn) {
    await withdrawPending(db, scope, own, now);
    return only(refused('approval_withdrawn', 'The agent didn’t wait for its approval.'));
  }
  await lockActions(db, projectId);
  const standing = await findStanding(db, sessionId);
  if (!standing) return only(refused('fenced', 'This attempt has ended.'));
  const live = await getConfig(db, projectId, standing.liveVersion);
  const named = namedServices(live.services);
  const wanted = actionsOfArgv(argv, named);
  const evidence = commandEvidence(attempt.id, number);
  const done = await listCountedActions(db, projectId, live.cooldowns, now);
  if (done.some((action) => action.evidence === evidence)) return only(ALLOWED);
  const judgement = approval && (await judge(db, scope, attempt, number, approval, now));
  if (judgement && isRefusedByPerson(judgement)) return only(answerTo(judgement));
  const { chainId } = standing;
  const refusals = await listRefusals(db, { projectId, chainId });
  const standingRefusal = refusalOfCommand(refusals, argv, live.services);
  if (standingRefusal && !(judgement && isDecidedApart(judgement, standingRefusal))) {
    await noteRefused(db, scope, { ...attempt, ...standing }, standingRefusal, now);
    return only(refused('approval_refused', refusalSentence(standingRefusal)));
  }
  const exhausted = cooldownState(live.cooldowns, done, named, now).find(
    (rule) => rule.used >= rule.limit && wanted.some((pair) => isSame(pair, rule)),
  );
  if (exhausted && wanted.length > 0) {
    await withdrawPending(db, scope, own, now);
    return only(refused('cooldown', cooldownSentence(exhausted)));
  }
  if (!approval && chainId !== null) {
    const about = { ...attempt, ...standing, chainId };
    const healthy = await measuredHealthy(db, about, wanted);
    if (healthy.length > 0) return toPerson(db, about, argv, healthy, now);
  }
  if (approval && judgement) {
    if (judgement.kind === 'ask') {
      return ask(db, scope, attempt, { ...request, approval }, { standing, live, named }, now);
    }
    if (judgement.kind !== 'use') return only(answerTo(judgement));
    await use(db, scope, attempt, judgement.id, number, now);
  }
  recordActions(
    db,
    wanted.map((pair) => ({
      ...pair,
      projectId,
      sessionId,
      evidence,
      command: argv.join(' ').slice(0, MAX_COMMAND),
      at: now,
    })),
  );
  return only(ALLOWED);
}

/** A command of a tier. */
type Asking = AttemptRow & Pick<Standing, 'tier' | 'frozenVersion'> & { chainId: string };

/**
 * Returns the services that a command restarts or redeploys, if every check of each was performed in this attempt
 * and passed, and no alert fires about them. There is nothing to repair then, as far as anything was measured.
 */
async function measuredHealthy(
  db: TenantDb,
  { id, sessionId, projectId, chainId, frozenVersion }: Asking,
  wanted: readonly CooldownPair[],
): Promise<string[]> {
  const acted = [...new Set(wanted.map(({ service }) => service))];
  if (acted.length === 0) return [];
  const checks = await listCheckResults(db, sessionId, id);
  if (checks.length === 0) return [];
  const { services } = await getConfig(db, projectId, frozenVersion);
  const { signalIds } = await getChainRow(db, chainId);
  const signals = await listProjectSignals(db, db.organizationId, projectId, signalIds);
  const firing = signals.filter(({ status }) => status === 'firing');
  if (firing.some(({ service }) => service === null || acted.includes(service))) return [];
  const healthy = provenHealthy(services, checks);
  return acted.every((service) => healthy.includes(service)) ? acted : [];
}

/** Answers that a person decides first, and says why in the chain. */
function toPerson(
  db: TenantDb,
  { projectId, sessionId, chainId, tier }: Asking,
  argv: readonly string[],
  healthy: readonly string[],
  now: Date,
): Authorized {
  const about = { projectId, chainId, sessionId };
  const command = argv.join(' ').slice(0, MAX_COMMAND);
  const message = `Every check of ${healthy.join(' and ')} passed in tier ${tier}’s attempt, so a person decides about ${command}.`;
  recordNotices(db, [{ ...about, level: 'warning', code: 'SERVICE_HEALTHY', message }], now);
  return only({ verdict: 'needs_approval' });
}

/** Whether people decide about this request by itself: it waits for them, or was approved after the refusal. */
function isDecidedApart(judgement: Judgement, { decidedAt }: Refusal): boolean {
  if (judgement.kind === 'waiting') return true;
  return judgement.kind === 'use' && judgement.decidedAt >= decidedAt;
}

/** What people have decided about a command so far. */
async function judge(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  number: number,
  { digest }: ApprovalRequest,
  now: Date,
): Promise<Judgement> {
  const rows = await listOfSession(db, attempt.sessionId);
  const command = { attemptId: attempt.id, number, digest, runnerId: scope.actor.id };
  return judgeCommand(rows.map(toCommandApproval), command, now);
}

function answerTo(judgement: Exclude<Judgement, { kind: 'use' | 'ask' }>): Answer {
  switch (judgement.kind) {
    case 'refused':
      return refused(judgement.code, judgement.message);
    case 'waiting':
      return { verdict: 'waiting', approvalId: judgement.id, isHeld: judgement.isHeld };
    case 'ends':
      // The process ends as it does for a wait that is too long, and its chain ends after it.
      return { verdict: 'waiting', approvalId: judgement.id, isHeld: false };
  }
}

async function ask(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  { number, argv, approval }: AuthorizeCommandRequest & { approval: ApprovalRequest },
  {
    standing: { chainId, tier },
    live,
    named,
  }: { standing: Standing; live: ProjectConfig; named: readonly NamedService[] },
  now: Date,
): Promise<Authorized> {
  if (chainId === null) {
    return only(refused('approval_refused', 'A conversation’s commands can’t be approved.'));
  }
  const { rule, cwd, reason, files, digest } = approval;
  const { requestedPerson } = await getChainRow(db, chainId);
  const { id, heldUntil, jobs } = await askApproval(
    db,
    scope,
    {
      kind: 'command',
      projectId: attempt.projectId,
      chainId,
      sessionId: attempt.sessionId,
      attemptId: attempt.id,
      tier,
      runnerId: scope.actor.id,
      commandNumber: number,
      ...{ argv, cwd, files, rule, reason },
      commandDigest: digest,
      services: servicesNamed(argv, named),
      requester: requestedPerson,
    },
    live.approvals,
    now,
  );
  const isHeld = heldUntil !== null && now < heldUntil;
  return { answer: { verdict: 'waiting', approvalId: id, isHeld }, jobs };
}

/** Marks an approval as used, once, however often the request is repeated. */
async function use(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  id: string,
  number: number,
  now: Date,
): Promise<void> {
  const { count } = await db.approval.updateMany({
    where: { id, usedAt: null },
    data: { usedAt: now, usedNumber: number },
  });
  if (count === 0) return;
  await recordAudit(db, scope, {
    action: 'approval.used',
    target: encodeId('apr', id),
    projectId: attempt.projectId,
    detail: { attempt: encodeId('att', attempt.id), command: number },
  });
}

const MAX_COMMAND = 2_000;

const ALLOWED: Answer = { verdict: 'allowed' };

function only(answer: Answer): Authorized {
  return { answer, jobs: [] };
}

function refused(code: Extract<Answer, { verdict: 'refused' }>['code'], message: string): Answer {
  return { verdict: 'refused', code, message };
}

function isSame(pair: CooldownPair, rule: CooldownPair): boolean {
  return pair.service === rule.service && pair.action === rule.action;
}
