import { listActionsSince } from '@/lib/cooldowns/data';
import type { TenantDb } from '@/lib/db/tenant-db';
import { getConfig, getProjectRow } from '@/lib/projects/data';
import { postureSchema } from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { getSpending } from '@/lib/usage/data';
import type { AttemptRow } from '../data';

/** Everything that a start is decided and built from, read in the claim's transaction. */
export type ClaimFacts = Awaited<ReturnType<typeof loadClaimFacts>>;

export async function loadClaimFacts(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  installation: { isDryRunForced: boolean },
  now: Date,
) {
  const session = await db.session.findFirstOrThrow({ where: { id: attempt.sessionId } });
  const chain = await db.chain.findFirstOrThrow({ where: { id: session.chainId } });
  const project = await getProjectRow(db, session.projectId);
  const organization = await db.organization.findFirstOrThrow({});
  const frozen = await getConfig(db, project.id, chain.projectVersion);
  const live =
    project.currentVersion === chain.projectVersion
      ? frozen
      : await getConfig(db, project.id, project.currentVersion);
  const runner = await db.runner.findFirstOrThrow({ where: { id: scope.actor.id } });
  const parent = session.parentSessionId
    ? await db.session.findFirst({ where: { id: session.parentSessionId } })
    : null;
  const pointer = parent
    ? await db.pointer.findFirst({
        where: { sessionId: parent.id, isLate: false },
        orderBy: { id: 'desc' },
      })
    : null;
  const owner = pointer ? await db.runner.findFirst({ where: { id: pointer.runnerId } }) : null;
  const handoff = parent ? await db.handoff.findFirst({ where: { sessionId: parent.id } }) : null;
  const longestWindow = Math.max(0, ...live.cooldowns.map((rule) => rule.windowSeconds));
  const actions = await listActionsSince(
    db,
    project.id,
    new Date(now.getTime() - longestWindow * 1_000),
  );
  const windows = await db.modelWindow.findMany({
    where: { cliVersion: cliVersionOf(runner.posture, frozen.harness) ?? '' },
  });
  const spending = await getSpending(db, project.id, chain.id, now);
  return {
    organization,
    project,
    chain,
    session,
    frozen,
    live,
    runner,
    parent,
    pointer,
    owner,
    handoff,
    actions,
    windows,
    spending,
    isDryRunForced: installation.isDryRunForced,
  };
}

/** The version that a runner reported for a harness; null before its first heartbeat. */
export function cliVersionOf(posture: unknown, harness: string): string | null {
  return harnessOf(posture, harness)?.version ?? null;
}

export function fingerprintOf(posture: unknown, harness: string): string | null {
  return harnessOf(posture, harness)?.fingerprint ?? null;
}

function harnessOf(posture: unknown, harness: string) {
  const parsed = postureSchema.safeParse(posture);
  return parsed.success ? parsed.data.harnesses.find((each) => each.name === harness) : undefined;
}
