import { describe, expect, it } from 'vitest';
import { acknowledgeChain } from '@/lib/engine/chains/acknowledge-chain';
import { startChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { getFleetAround, listRunnerWork } from '@/lib/fleet/overview';
import { listNamesWithRole } from '@/lib/identity/members/list-members';
import { attentionOf } from '@/lib/insight/dashboard/attention';
import { getOverview, getProjectId, getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { getContextShares } from '@/lib/insight/project-settings';
import { ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { breakDemoService } from '@/lib/projects/demo-service/client';
import { saveProject } from '@/lib/projects/manage-project';
import { getCurrentProject, listVersions, restoreVersion } from '@/lib/projects/versions';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, type Played, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

async function runTierOne(cast: Cast, played: Played): Promise<string> {
  const { chainId } = await startChain(cast.alice, {
    projectId: cast.projectId,
    trigger: 'manual',
  });
  await play(cast.runner, await claimNext(cast.runner), played);
  return chainId;
}

describe('the overview of an organization', () => {
  it('has the project with its services, its last chain and a runner that is online', async () => {
    const cast = await makeCast();
    const before = await getOverview(cast.alice);
    expect(before.projects[0]).toMatchObject({
      slug: 'checkout',
      lastChain: null,
      services: { healthy: 0, degraded: 0, down: 0, unknown: 2 },
    });
    await runTierOne(cast, { report: {} });
    const after = await getOverview(cast.alice);
    expect(after.projects[0]?.lastChain).toMatchObject({ number: 1, outcome: 'healthy' });
    expect(after.runners).toMatchObject([{ name: 'runner-1', isOnline: true, isMissed: false }]);
    expect(attentionOf(after)).toEqual([]);
  });

  it('keeps the last verdict while a later chain runs, and when that one is stopped', async () => {
    const cast = await makeCast();
    await runTierOne(cast, { report: {} });
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });
    const verdict = async () => (await getOverview(cast.alice)).projects[0];
    const kept = { lastChain: { number: 2 }, lastVerdict: { number: 1, outcome: 'healthy' } };
    expect(await verdict()).toMatchObject(kept);
    await stopChain(cast.alice, chainId);
    expect(await verdict()).toMatchObject(kept);
    await runTierOne(cast, { report: {} });
    expect(await verdict()).toMatchObject({ lastChain: { number: 3 }, lastVerdict: { number: 3 } });
  });

  it('names a chain that needs a human until somebody has acknowledged it', async () => {
    const cast = await makeCast({ maxTier: 1 });
    const chainId = await runTierOne(cast, { report: wantsHelp() });
    const waiting = attentionOf(await getOverview(cast.alice));
    expect(waiting).toMatchObject([{ kind: 'chain', chain: { number: 1 } }]);
    await acknowledgeChain(cast.alice, encodeId('chn', chainId), { note: 'I look at it' });
    expect(attentionOf(await getOverview(cast.alice))).toEqual([]);
  });

  it('shows nothing of another organization', async () => {
    const [cast, other] = [await makeCast(), await makeCast()];
    await runTierOne(cast, { report: {} });
    const seen = await getOverview(other.alice);
    expect(seen.projects.map((project) => project.id)).toEqual([other.projectId]);
    expect(seen.projects[0]?.lastChain).toBeNull();
    expect(await getServiceHealth(other.alice, cast.projectId)).toEqual([]);
    expect(await getContextShares(other.alice, cast.projectId)).toEqual([]);
    const foreign = encodeId('prj', cast.projectId);
    await expect(getProjectId(other.alice, foreign)).rejects.toThrow(NotFoundError);
    await expect(listVersions(other.alice, foreign)).rejects.toThrow(NotFoundError);
  });
});

describe('versions', () => {
  it('[SAS-2.2] name author and difference, and an earlier one comes back as a new one', async () => {
    const cast = await makeCast();
    const { config, version } = await getCurrentProject(cast.alice, 'checkout');
    await saveProject(cast.alice, {
      projectId: cast.projectId,
      baseVersion: version,
      name: 'Checkout',
      slug: 'checkout',
      config: { ...config, contextThreshold: 0.7 },
    });
    const [second, first] = await listVersions(cast.alice, 'checkout');
    expect(second).toMatchObject({
      version: 2,
      author: cast.alice.actor.label,
      changes: [{ path: 'contextThreshold', before: 0.8, after: 0.7 }],
    });
    expect(second?.restores).toEqual([]);
    expect(first).toMatchObject({
      version: 1,
      changes: null,
      restores: [{ path: 'contextThreshold', before: 0.7, after: 0.8 }],
    });

    await restoreVersion(cast.alice, { project: 'checkout', version: 1, baseVersion: 2 });
    const inForce = await getCurrentProject(cast.alice, 'checkout');
    expect(inForce).toMatchObject({ version: 3, config: { contextThreshold: 0.8 } });
    expect((await listVersions(cast.alice, 'checkout'))[0]?.note).toBe('Restored v1');
  });
});

describe('around the runners', () => {
  it('says what waits for which pool, and what a runner had in hand', async () => {
    const cast = await makeCast();
    await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
    const around = await getFleetAround(cast.alice);
    expect(around.pools).toEqual(['default']);
    expect(around.waiting.get('default')).toBe(1);
    await play(cast.runner, await claimNext(cast.runner), { report: {} });
    const runnerId = encodeId('rnr', cast.runner.actor.id);
    expect(await listRunnerWork(cast.alice, runnerId)).toMatchObject([
      { status: 'ended', session: { number: 1, project: { slug: 'checkout' } } },
    ]);
    expect((await getFleetAround(cast.alice)).waiting.size).toBe(0);
  });
});

describe('who may', () => {
  it('break something is an operator of the demo organization and nobody else', async () => {
    const { alice } = await makeCast();
    await expect(breakDemoService(alice, 'crash')).rejects.toThrow(NotFoundError);
    await expect(breakDemoService({ ...alice, role: 'viewer' }, 'crash')).rejects.toThrow(
      ForbiddenError,
    );
  });

  it('be asked for a role are the people who have it', async () => {
    const { alice } = await makeCast();
    expect(await listNamesWithRole(alice, 'operator')).toEqual(['Alice']);
    const other = await makeCast();
    expect(await listNamesWithRole(other.alice, 'owner')).toHaveLength(1);
  });
});
