/** Short words for tests of approvals: an agent that asks, and people who decide. */
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { authorizeCommand } from '@/lib/engine/commands/authorize';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast, makeOnce } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { startOne } from './running';

const DIGEST = 'a'.repeat(64);

export interface Scene {
  cast: Cast;
  spec: AttemptSpec;
  chainId: string;
  now: Date;
}

/** Tier 2 runs, in a chain that the schedule has started. */
export async function tierTwoRuns(changes: Partial<ProjectConfig> = {}): Promise<Scene> {
  const now = new Date();
  const key = `tier 2 runs ${JSON.stringify(changes)}`;
  return { ...(await makeOnce(key, now, () => runTierTwo(changes, now))), now };
}

async function runTierTwo(changes: Partial<ProjectConfig>, now: Date) {
  const cast = await makeCast(changes, now);
  const chainId = await startOne(cast, now);
  // As if the schedule had started it, so that Alice may decide.
  await inTransaction(cast.alice, (db) =>
    db.chain.updateMany({ where: { id: chainId }, data: { requestedPerson: null } }),
  );
  await play(cast.runner, await claimNext(cast.runner, now), { report: wantsHelp() }, now);
  return { cast, chainId, spec: await claimNext(cast.runner, now) };
}

export interface Asked {
  number?: number;
  line?: string;
  digest?: string;
  isWithdrawn?: boolean;
}

export function ask(
  { cast, spec }: Pick<Scene, 'cast' | 'spec'>,
  { number = 1, line = 'docker restart web', digest = DIGEST, isWithdrawn = false }: Asked,
  now: Date,
) {
  return authorizeCommand(
    cast.runner,
    spec.attemptId,
    {
      fence: spec.fence,
      number,
      argv: line.split(' '),
      approval: {
        rule: 'Bash(docker restart {service})',
        cwd: '/project',
        reason: 'web doesn’t answer.',
        files: [],
        digest,
        isWithdrawn,
      },
    },
    now,
  );
}

export const approvalsOf = (cast: Cast) =>
  inTransaction(cast.alice, (db) =>
    db.approval.findMany({ orderBy: { id: 'asc' }, include: { votes: true } }),
  );

export async function onlyApproval(cast: Cast) {
  const [approval, ...others] = await approvalsOf(cast);
  if (!approval || others.length > 0) throw new Error('There is not exactly one approval.');
  return approval;
}

export async function decide(
  scope: TenantScope,
  cast: Cast,
  verdict: 'approve' | 'refuse',
  now: Date,
  note = '',
): Promise<void> {
  const pending = (await approvalsOf(cast)).filter(({ status }) => status === 'pending');
  for (const { id, digest } of pending) {
    await decideApproval(scope, encodeId('apr', id), { verdict, digest, note }, now);
  }
}

/** The runner ends the process, because the command can't be held longer. */
export function endForApproval(
  { cast, spec }: Pick<Scene, 'cast' | 'spec'>,
  at: Date,
  events: BrokeredEvent[] = [],
) {
  const result = { stopCause: 'approval', exit: { code: 143, signal: null } } as const;
  return play(cast.runner, spec, { isSilent: true, result, events }, at);
}

/** The runner has never run a command, although it may have been allowed. */
export function notRun(number: number, code: string): BrokeredEvent {
  const argv = ['docker', 'restart', 'web'];
  const refusal = { code, message: 'It was not executed.' };
  return {
    kind: 'brokered',
    phase: 'refused',
    number,
    argv,
    rule: null,
    changes: false,
    refusal,
    end: null,
  };
}
