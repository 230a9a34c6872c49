/** What a person refused stays refused in its incident, whatever the rules of later tiers and chains allow. */
import { afterAll, describe, expect, it } from 'vitest';
import { listRefusals } from '@/lib/engine/approvals/data';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { startChain } from '@/lib/engine/chains/start-chain';
import { claimAttempt } from '@/lib/engine/claim';
import { authorizeCommand } from '@/lib/engine/commands/authorize';
import { getApproval } from '@/lib/insight/approvals/list-approvals';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { DEFAULT_APPROVALS } from '@/lib/projects/approval-settings';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Cast } from '@/tests/support/cast/organization';
import { claimNext, nextAttemptId, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startWatch, type Watch } from '../incidents/support/watching';
import { joined } from '../members/people';
import {
  approvalsOf,
  ask,
  decide,
  endForApproval,
  type Scene,
  tierTwoRuns,
} from './support/approving';
import { refusalOf } from './support/running';

useTestDatabase();
afterAll(() => liveHub().close());

const [ONE, TWO, THREE] = DEFAULT_TIERS;
/** Tier 3 is open, as for agents whose rules allow everything without asking. */
const THREE_TIERS: Partial<ProjectConfig> = {
  maxTier: 3,
  tiers: [
    ONE,
    { ...TWO, isEnabled: true },
    { ...THREE, isEnabled: true, allowedTools: ['Bash', 'Bash(docker inspect {service})'] },
  ],
  approvals: { ...DEFAULT_APPROVALS, onRefusal: 'resume' },
};

type Runs = Pick<Scene, 'cast' | 'spec'>;

/** A command that a rule lets run without asking anybody. */
function run({ cast, spec }: Runs, line: string, now: Date, number = 1) {
  const { attemptId, fence } = spec;
  const argv = line.split(' ');
  return authorizeCommand(cast.runner, attemptId, { fence, number, argv, approval: null }, now);
}

const HELD = {
  verdict: 'refused',
  code: 'approval_refused',
  message: expect.stringMatching(
    /^`docker restart web` was refused \(.+ refused it: A backup runs\)/,
  ),
};

const auditOf = (cast: Cast, action: string) =>
  inTransaction(cast.alice, (db) => db.auditLog.findMany({ where: { action } }));

const noticesOf = (cast: Cast, code: string) =>
  inTransaction(cast.alice, (db) => db.projectEvent.findMany({ where: { code } }));

async function allowAgain(cast: Cast, now: Date, who = cast.alice): Promise<void> {
  const [refused] = (await approvalsOf(cast)).filter(({ status }) => status === 'refused');
  if (!refused) throw new Error('Nothing is refused.');
  const { id, digest } = refused;
  await decideApproval(who, encodeId('apr', id), { verdict: 'allow_again', digest, note: '' }, now);
}

/** Tier 2 asked, Alice refused, and tier 3 runs. */
async function tierThreeRuns(): Promise<Scene> {
  const scene = await tierTwoRuns(THREE_TIERS);
  const { cast, spec, now } = scene;
  await ask(scene, {}, now);
  await decide(cast.alice, cast, 'refuse', now, 'A backup runs.');
  await play(cast.runner, spec, { report: wantsHelp() }, now);
  return { ...scene, spec: await claimNext(cast.runner, now) };
}

describe('[HLD-4.3] what a person refused in tier 2', () => {
  it('isn’t run by tier 3 of the chain, in any spelling, although its rules ask nobody', async () => {
    const { now, ...scene } = await tierThreeRuns();
    const { cast, spec } = scene;
    expect(spec.start.tier).toBe(3);
    const spellings = [
      'docker restart web',
      'docker container restart -t 5 web',
      'docker stop web',
    ];
    for (const [index, line] of [...spellings, 'systemctl restart web'].entries()) {
      expect(await run(scene, line, now, index + 1)).toMatchObject(HELD);
    }
    expect(await run(scene, 'docker restart db', now, 9)).toEqual({ verdict: 'allowed' });
    expect(await run(scene, 'gh pr create --fill', now, 10)).toEqual({ verdict: 'allowed' });
    const counted = await inTransaction(cast.alice, (db) => db.cooldownAction.findMany());
    expect(counted.map(({ command }) => command)).toEqual(['docker restart db']);
  });

  it('isn’t asked about again by a rule of tier 3 that asks first', async () => {
    const { now, ...scene } = await tierThreeRuns();
    const asked = { line: 'docker restart -t 5 web', digest: 'b'.repeat(64) };
    expect(await ask(scene, asked, now)).toMatchObject(HELD);
    expect(await approvalsOf(scene.cast)).toHaveLength(1);
  });

  it('is named in what tier 3 gets, in its stream, in the feed and in the audit log, once', async () => {
    const { now, chainId, ...scene } = await tierThreeRuns();
    const { cast, spec } = scene;
    expect(spec.start.systemPrompt).toContain(`## Refused by people`);
    expect(spec.start.systemPrompt).toContain(
      `- "docker restart web" ("${cast.alice.actor.label} refused it: A backup runs")`,
    );
    expect(spec.start.commands?.refused).toEqual([['docker', 'restart', 'web']]);
    await run(scene, 'docker stop web', now, 1);
    await run(scene, 'docker stop web', now, 1);
    await run(scene, 'docker kill web', now, 2);
    const about = { chainId, sessionId: spec.sessionId, level: 'warning' };
    const message = expect.stringMatching(
      /^Tier 3 was not allowed a command: `docker restart web` was/,
    );
    expect(await noticesOf(cast, 'REFUSAL_HELD')).toMatchObject([{ ...about, message }]);
    const [approval] = await approvalsOf(cast);
    expect(await auditOf(cast, 'approval.enforced')).toMatchObject([
      { target: encodeId('apr', approval?.id ?? ''), detail: { tier: 3 } },
    ]);
  });

  it('is denied by the rules of an agent that nothing but its CLI holds', async () => {
    const { spec } = await tierThreeRuns();
    expect(spec.start.disallowedRules).toEqual(
      expect.arrayContaining([
        'Bash(docker restart web:*)',
        'Bash(docker stop web:*)',
        'Bash(docker container restart web:*)',
        'Bash(systemctl restart web:*)',
        'Bash(kubectl rollout restart web:*)',
      ]),
    );
    expect(spec.start.disallowedRules).not.toContain('Bash(docker restart db:*)');
  });

  it('isn’t run by the conversation that continues after it, in another spelling', async () => {
    const scene = await tierTwoRuns(THREE_TIERS);
    const { cast, now } = scene;
    await ask(scene, {}, now);
    await endForApproval(scene, now);
    await decide(cast.alice, cast, 'refuse', now, 'A backup runs.');
    const next = { cast, spec: await claimNext(cast.runner, now) };
    expect(next.spec.start.tier).toBe(2);
    expect(await run(next, 'docker stop web', now)).toMatchObject(HELD);
  });

  it('is of its project alone', async () => {
    const { cast } = await tierThreeRuns();
    const refusalsOf = (projectId: string) =>
      inTransaction(cast.alice, (db) => listRefusals(db, { projectId, chainId: null }));
    const { id } = await inTransaction(cast.alice, (db) => db.project.findFirstOrThrow({}));
    expect(await refusalsOf(id)).toHaveLength(1);
    expect(await refusalsOf('0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a61')).toEqual([]);
  });

  it('runs once a person has allowed it again, who may be anybody who may decide', async () => {
    const { now, ...scene } = await tierThreeRuns();
    const { cast } = scene;
    const viewer = (await joined(cast.alice, 'viewer')).scope;
    const operator = (await joined(cast.alice, 'operator')).scope;
    expect(await refusalOf(allowAgain(cast, now, viewer))).toBe('forbidden');
    expect(await run(scene, 'docker restart web', now, 1)).toMatchObject(HELD);
    await allowAgain(cast, now, operator);
    expect(await run(scene, 'docker restart web', now, 2)).toEqual({ verdict: 'allowed' });
    const [refused] = await approvalsOf(cast);
    const dto = await getApproval(cast.alice, encodeId('apr', refused?.id ?? ''));
    expect(dto).toMatchObject({
      status: 'refused',
      allowedAgain: { person: operator.actor.label, at: now.toISOString() },
    });
    expect(await auditOf(cast, 'approval.allowed_again')).toHaveLength(1);
    expect(await noticesOf(cast, 'REFUSAL_TAKEN_BACK')).toMatchObject([
      { message: `${operator.actor.label} allowed \`docker restart web\` again` },
    ]);
    expect(await refusalOf(allowAgain(cast, now))).toBe('conflict');
  });

  it('doesn’t hold back a command of its own request that was approved after it', async () => {
    const scene = await tierTwoRuns(THREE_TIERS);
    const { cast, now } = scene;
    await ask(scene, { number: 1 }, now);
    const other = { number: 2, line: 'docker restart -t 5 web', digest: 'b'.repeat(64) };
    await ask(scene, other, now);
    const [first, second] = await approvalsOf(cast);
    const later = new Date(now.getTime() + 1_000);
    const vote = (row: typeof first, verdict: 'approve' | 'refuse', at: Date) =>
      decideApproval(
        cast.alice,
        encodeId('apr', row?.id ?? ''),
        { verdict, digest: row?.digest ?? '', note: '' },
        at,
      );
    await vote(first, 'refuse', now);
    expect(await ask(scene, other, now)).toMatchObject({ verdict: 'waiting' });
    await vote(second, 'approve', later);
    expect(await ask(scene, other, later)).toEqual({ verdict: 'allowed' });
  });

  it('holds back what was approved before it', async () => {
    const scene = await tierTwoRuns(THREE_TIERS);
    const { cast, now } = scene;
    const other = { number: 2, line: 'docker restart -t 5 web', digest: 'b'.repeat(64) };
    await ask(scene, other, now);
    await decide(cast.alice, cast, 'approve', now);
    await ask(scene, { number: 1 }, now);
    const later = new Date(now.getTime() + 1_000);
    await decide(cast.alice, cast, 'refuse', later, 'A backup runs.');
    expect(await ask(scene, other, later)).toMatchObject(HELD);
  });
});

describe('[HLD-4.3] in the incident', () => {
  /** Web is down, tier 2 of its chain asked for a restart, and Alice refused it: the chain needs a human. */
  async function refusedInIncident(): Promise<Watch> {
    const watch = await startWatch({ ...THREE_TIERS, approvals: DEFAULT_APPROVALS });
    const { cast } = watch;
    await watch.minute();
    await watch.minutes(2, { web: 'down' });
    await watch.playChain({ report: wantsHelp() });
    const scene = { cast, spec: await claimNext(cast.runner, watch.now()) };
    await ask(scene, {}, watch.now());
    await decide(cast.alice, cast, 'refuse', watch.now(), 'A backup runs.');
    await endForApproval(scene, watch.now());
    return watch;
  }

  const tierThreeOfNewChain = async ({ cast, now }: Watch): Promise<Runs> => {
    const input = { projectId: cast.projectId, trigger: 'manual' as const, tier: 3 as const };
    await startChain(cast.alice, input, now());
    return { cast, spec: await claimNext(cast.runner, now()) };
  };

  it('a refusal ends the chain, which needs a human, where nobody configured anything else', async () => {
    const watch = await refusedInIncident();
    expect(await watch.chains()).toEqual([{ trigger: 'check', outcome: 'needs_human' }]);
  });

  it('a later chain doesn’t run it, until the incident is over', async () => {
    const watch = await refusedInIncident();
    const scene = await tierThreeOfNewChain(watch);
    expect(await run(scene, 'docker container restart web', watch.now())).toMatchObject(HELD);
    await play(watch.cast.runner, scene.spec, { report: {} }, watch.now());
    await watch.minutes(15);
    expect(await watch.incidents()).toMatchObject([{ state: 'resolved' }]);
    const after = await tierThreeOfNewChain(watch);
    expect(after.spec.start.systemPrompt).not.toContain('Refused by people');
    expect(await run(after, 'docker restart web', watch.now())).toEqual({ verdict: 'allowed' });
  });

  it('a later chain doesn’t run it after a chain that reported a fix, while the incident is verified', async () => {
    const watch = await refusedInIncident();
    const scene = await tierThreeOfNewChain(watch);
    await play(watch.cast.runner, scene.spec, { report: { resolved: true } }, watch.now());
    await watch.minutes(2);
    expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
    const next = await tierThreeOfNewChain(watch);
    expect(await run(next, 'docker restart web', watch.now())).toMatchObject(HELD);
  });

  it('its timeline names the refusal and who took it back', async () => {
    const watch = await refusedInIncident();
    const { cast } = watch;
    await allowAgain(cast, watch.now());
    const { timeline } = await getIncidentByNumber(cast.alice, cast.projectSlug, 1);
    const by = cast.alice.actor.label;
    expect(timeline.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        `${by} refused docker restart web (tier 2). A backup runs.`,
        `${by} allowed docker restart web (tier 2) again.`,
      ]),
    );
  });
});

describe('[HLD-4.3] a refused start of tier 2', () => {
  const tiers: ProjectConfig['tiers'] = [
    ONE,
    { ...TWO, isEnabled: true, requiresApproval: true },
    { ...THREE, isEnabled: true },
  ];

  const refusalOfNextClaim = async ({ cast, now }: Watch) =>
    refusalOf(claimAttempt(cast.runner, await nextAttemptId(cast.runner), now()));

  const newestChain = ({ cast }: Watch) =>
    inTransaction(cast.alice, (db) => db.chain.findFirstOrThrow({ orderBy: { id: 'desc' } }));

  async function startRefused(): Promise<Watch> {
    const watch = await startWatch({ maxTier: 3, tiers });
    await watch.minute();
    await watch.minutes(2, { web: 'down' });
    await watch.playChain({ report: wantsHelp() });
    await refusalOfNextClaim(watch);
    await decide(watch.cast.alice, watch.cast, 'refuse', watch.now(), 'Not at night.');
    await refusalOfNextClaim(watch);
    return watch;
  }

  it.each([2, 3] as const)(
    'isn’t followed by the start of tier %i in a later chain of the incident',
    async (tier) => {
      const watch = await startRefused();
      const { cast } = watch;
      const input = { projectId: cast.projectId, trigger: 'manual' as const, tier };
      await startChain(cast.alice, input, watch.now());
      expect(await refusalOfNextClaim(watch)).toBe('held_back');
      expect(await newestChain(watch)).toMatchObject({
        outcome: 'needs_human',
        outcomeReason: 'APPROVAL_REFUSED',
        statusText: expect.stringContaining('Not at night'),
      });
      expect(await approvalsOf(cast)).toHaveLength(1);
      expect(await auditOf(cast, 'approval.enforced')).not.toEqual([]);
      await allowAgain(cast, watch.now());
      await startChain(cast.alice, input, watch.now());
      const answer = await refusalOfNextClaim(watch);
      // Tier 2 asks people again, and tier 3 asks nobody.
      expect(answer).toBe(tier === 2 ? 'held_back' : 'none');
      expect((await newestChain(watch)).outcome).toBeNull();
    },
  );

  it('doesn’t keep tier 1 from looking', async () => {
    const watch = await startRefused();
    const { cast } = watch;
    await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' }, watch.now());
    expect((await claimNext(cast.runner, watch.now())).start.tier).toBe(1);
  });
});
