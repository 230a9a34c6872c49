/** What a change of a project's rules makes of the commands that its chains called. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { tierModelsOf } from '@/lib/agents/registry';
import { recordHeartbeat } from '@/lib/engine/directives';
import {
  type NextVersion,
  previewNext,
  previewPolicy,
} from '@/lib/insight/policy-preview/preview-policy';
import type { CommandPolicyVersion } from '@/lib/insight/policy-preview/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError, NotFoundError } from '@/lib/platform/errors';
import { liveHub } from '@/lib/platform/live/hub';
import { adoptDefaultRules, saveProject } from '@/lib/projects/manage-project';
import { withCurrentDefaults } from '@/lib/projects/rules/retired';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import type { ConfinementState } from '@/lib/protocol/confinement';
import type { CommandEvent, RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec, ServiceSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { command, send, startOne } from '../engine/support/running';

useTestDatabase();
afterAll(() => liveHub().close());

const SERVICES = ['web', 'db'].map((target): ServiceSpec => {
  const container = { type: 'container', target, timeoutSeconds: 5 } as const;
  const port = { type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 } as const;
  return { name: target, checks: [container, port] };
});

let cast: Cast;
beforeEach(async () => {
  cast = await makeCast({ services: SERVICES });
});

/** The rules of the cast's project, with these in tier 2. */
function rules(changes: Partial<TierPolicy>): ProjectConfig {
  const config = testConfig({ services: SERVICES });
  const [one, two, three] = config.tiers;
  return { ...config, tiers: [one, { ...two, ...changes }, three] };
}

const preview = (policy: CommandPolicyVersion, { who = cast.alice, now = new Date() } = {}) =>
  previewPolicy(who, { project: 'checkout', baseVersion: 1, policy }, now);

function started(confinement: ConfinementState): CommandEvent {
  const at = { workDir: '/srv/work', configDir: '/srv/config', workDirInode: '1:1' };
  const prompts = { prompt: '', systemPrompt: '' };
  const cli = { argv: ['claude'], env: {}, cliVersion: '2.1.197' };
  return { kind: 'command', ...cli, ...prompts, ...at, confinement };
}

function brokered(
  number: number,
  line: string,
  phase: BrokeredEvent['phase'] = 'started',
): BrokeredEvent {
  const argv = line.split(' ');
  const none = { rule: null, refusal: null, end: null };
  return { kind: 'brokered', phase, number, argv, changes: true, ...none };
}

/** Tier 2 of a new chain has sent these. */
async function tierTwoSent(of: Cast, events: RunnerEvent[]): Promise<AttemptSpec> {
  await startOne(of);
  await play(of.runner, await claimNext(of.runner), { report: wantsHelp() });
  const spec = await claimNext(of.runner);
  await send(of.runner, spec, events);
  return spec;
}

describe('[BND-5.2] the preview of a policy', () => {
  it('counts what is newly allowed and refused, and links to the last call', async () => {
    await tierTwoSent(cast, [
      started('none'),
      ...command('nomad status'),
      ...command('docker restart web'),
      ...command('nomad status', { denied: true }),
    ]);
    const { allowedTools } = testConfig().tiers[1];
    const isRestart = (rule: string) => rule.startsWith('Bash(docker restart');
    expect(allowedTools.some(isRestart)).toBe(true);
    const policy = rules({
      allowedTools: [...allowedTools.filter((rule) => !isRestart(rule)), 'Bash(nomad status)'],
    });
    const { days, tiers, groups } = await preview(policy);
    expect({ days, tiers }).toEqual({
      days: 30,
      tiers: [{ tier: 2, commands: 2, isCut: false }],
    });
    expect(groups).toMatchObject([
      {
        kind: 'newly_allowed',
        tier: 2,
        commands: 1,
        calls: 2,
        listed: [{ command: 'nomad status', count: 2, rule: 'Bash(nomad status)' }],
      },
      { kind: 'newly_refused', tier: 2, commands: 1, calls: 1 },
    ]);
    const { sessionNumber, seq } = groups[0]?.listed[0]?.newest ?? {};
    const event = await inTransaction(cast.alice, (db) =>
      db.sessionEvent.findFirstOrThrow({ where: { seq, session: { number: sessionNumber } } }),
    );
    const calls = await inTransaction(cast.alice, (db) =>
      db.sessionEvent.findMany({ where: { kind: 'tool_call' }, orderBy: { seq: 'asc' } }),
    );
    expect(event).toEqual(calls.at(-1));
    expect(event.payload).toMatchObject({ input: { command: 'nomad status' } });
  });

  /** Its runner can confine agents. */
  async function confinedCast(tiers: ProjectConfig['tiers']): Promise<Cast> {
    const made = await makeCast({ isolation: 'confined', tiers });
    const confinement = { state: 'confined', cause: null, detail: null } as const;
    const capabilities = { ...TEST_CAPABILITIES, confinement };
    await recordHeartbeat(made.runner, { protocol: 1, capabilities, running: [] });
    return made;
  }

  describe('in a confined project', () => {
    const RESTART = 'Bash(docker restart web)';
    const isolated: Partial<TierPolicy> = { allowedTools: [RESTART] };

    beforeEach(async () => {
      const [one, two, three] = testConfig().tiers;
      cast = await confinedCast([one, { ...two, ...isolated }, three]);
    });

    it('decides the arguments of confined agents as the command broker does', async () => {
      const spec = await tierTwoSent(cast, [
        started('confined'),
        ...command('for s in web; do docker restart $s; done', { isRunning: true }),
        brokered(1, 'docker restart web'),
        brokered(1, 'docker restart web', 'ended'),
        brokered(2, 'docker restart web'),
        brokered(2, 'docker restart web', 'refused'),
        ...command('nomad status | wc -l'),
      ]);
      const { groups } = await preview({
        ...rules({
          ...isolated,
          allowedTools: [RESTART, 'Bash(nomad status)'],
          askFirstTools: ['Bash(docker restart web)'],
        }),
        isolation: 'confined',
      });
      expect(groups).toMatchObject([
        { kind: 'newly_allowed', listed: [{ command: 'nomad status', count: 1 }] },
        {
          kind: 'newly_asking',
          calls: 2,
          listed: [{ command: 'docker restart web', count: 2, rule: 'Bash(docker restart web)' }],
        },
      ]);
      // The line in which the agent's shell ran it.
      const seq = groups[1]?.listed[0]?.newest.seq ?? 0;
      const event = await inTransaction(cast.alice, (db) =>
        db.sessionEvent.findFirstOrThrow({ where: { seq, attemptId: spec.attemptId } }),
      );
      expect(event.payload).toMatchObject({ tool: 'Bash' });
    });

    it('counts a command as newly asking in another spelling than the rule’s', async () => {
      const [one, two, three] = testConfig().tiers;
      const units: Partial<TierPolicy> = {
        allowedTools: ['Bash(systemctl restart {word})'],
      };
      cast = await confinedCast([one, { ...two, ...units }, three]);
      await tierTwoSent(cast, [
        started('confined'),
        brokered(1, 'systemctl restart web.service'),
        brokered(2, 'systemctl restart db'),
      ]);
      const { groups } = await preview({
        ...rules({ ...units, askFirstTools: ['Bash(systemctl restart web)'] }),
        isolation: 'confined',
      });
      expect(groups).toMatchObject([
        { kind: 'newly_asking', calls: 1, listed: [{ command: 'systemctl restart web.service' }] },
      ]);
    });
  });

  it('leaves out other tiers, older calls, other tools and late events', async () => {
    const { attemptId } = await tierTwoSent(cast, [started('none'), ...command('nomad status')]);
    const allowing = (tier: 1 | 3): CommandPolicyVersion => {
      const config = testConfig({ services: SERVICES });
      return {
        ...config,
        tiers: config.tiers.map((each) =>
          each.tier === tier ? { ...each, allowedTools: ['Bash(nomad status)'] } : each,
        ),
      };
    };
    expect(await preview(allowing(3))).toMatchObject({ groups: [], tiers: [{ commands: 0 }] });
    const policy = rules({ allowedTools: ['Bash(nomad status)'] });
    const in31Days = new Date(Date.now() + 31 * 86_400_000);
    expect(await preview(policy, { now: in31Days })).toMatchObject({ tiers: [{ commands: 0 }] });
    const in29Days = new Date(Date.now() + 29 * 86_400_000);
    expect(await preview(policy, { now: in29Days })).toMatchObject({ tiers: [{ commands: 1 }] });
    await inTransaction(cast.alice, (db) =>
      db.sessionEvent.updateMany({ where: { attemptId }, data: { isLate: true } }),
    );
    expect(await preview(policy)).toMatchObject({ groups: [], tiers: [{ commands: 0 }] });
  });

  it('reads nothing where no decision changes', async () => {
    await tierTwoSent(cast, [started('none'), ...command('nomad status')]);
    expect(await preview(rules({ maxTurns: 12 }))).toEqual({ days: 30, tiers: [], groups: [] });
  });

  it('says when older commands were left out', async () => {
    await tierTwoSent(cast, [
      started('none'),
      ...command('nomad status'),
      ...command('nomad job'),
      ...command('nomad status'),
    ]);
    const policy = rules({ allowedTools: ['Bash(nomad:*)'] });
    const change = { project: 'checkout', baseVersion: 1, policy };
    const cut = await previewPolicy(cast.alice, change, new Date(), 1);
    expect(cut.tiers).toEqual([{ tier: 2, commands: 1, isCut: true }]);
    expect(cut.groups).toMatchObject([{ listed: [{ command: 'nomad status', count: 2 }] }]);
    expect((await preview(policy)).tiers).toEqual([{ tier: 2, commands: 2, isCut: false }]);
  });

  it('counts the commands of this organization and project alone', async () => {
    const other = await makeCast();
    await tierTwoSent(other, [started('none'), ...command('nomad status')]);
    await tierTwoSent(cast, [started('none'), ...command('nomad status')]);
    const policy = rules({ allowedTools: ['Bash(nomad status)'] });
    expect((await preview(policy)).groups).toMatchObject([{ kind: 'newly_allowed', calls: 1 }]);
    await inTransaction(other.alice, (db) => db.project.updateMany({ data: { slug: 'theirs' } }));
    const theirs = previewPolicy(cast.alice, { project: 'theirs', baseVersion: 1, policy });
    await expect(theirs).rejects.toThrow(NotFoundError);
  });

  it('is read by viewers', async () => {
    await tierTwoSent(cast, [started('none'), ...command('nomad status')]);
    const who = { ...cast.alice, role: 'viewer' } as const;
    const policy = rules({ allowedTools: ['Bash(nomad status)'] });
    expect((await preview(policy, { who })).groups).toMatchObject([{ kind: 'newly_allowed' }]);
  });
});

describe('[BND-5.2] the preview of a version that is not edited', () => {
  /** Saves the rules of the cast's project, with these in tier 2. */
  function save(baseVersion: number, changes: Partial<TierPolicy>): Promise<unknown> {
    const { projectId, projectSlug: slug } = cast;
    const config = rules(changes);
    return saveProject(cast.alice, { projectId, baseVersion, name: 'Checkout', slug, config });
  }

  const next = (next: NextVersion, baseVersion = 1) =>
    previewNext(cast.alice, { project: 'checkout', baseVersion, next }, tierModelsOf);

  const { allowedTools } = testConfig().tiers[1];
  const withNomad = [...allowedTools, 'Bash(nomad status)'];

  it('counts what a restored version decides differently from the current one', async () => {
    await tierTwoSent(cast, [started('none'), ...command('nomad status')]);
    await save(1, { allowedTools: withNomad });
    expect((await next({ version: 1 }, 2)).groups).toMatchObject([
      { kind: 'newly_refused', tier: 2, calls: 1, listed: [{ command: 'nomad status' }] },
    ]);
    expect(await next({ version: 2 }, 2)).toMatchObject({ tiers: [], groups: [] });
    await expect(next({ version: 9 }, 2)).rejects.toThrow(NotFoundError);
  });

  it('merges a file into the version that it was compared with', async () => {
    await tierTwoSent(cast, [started('none'), ...command('nomad status')]);
    const rule = '{tier: 2, allowedTools: ["Bash(nomad status)"]}';
    const text = `name: Checkout\ntiers: [${rule}]\n`;
    expect((await next({ text })).groups).toMatchObject([
      { kind: 'newly_allowed', tier: 2, calls: 1, listed: [{ rule: 'Bash(nomad status)' }] },
    ]);
    await save(1, { disallowedTools: ['Bash(nomad status)'] });
    expect((await next({ text })).groups).toMatchObject([{ kind: 'newly_allowed' }]);
    expect((await next({ text: 'name: Checkout\ndryRun: true\n' })).tiers).toEqual([]);
  });

  it('names what is wrong with a file by line', async () => {
    const wrong = next({ text: 'name: Checkout\nmaxtier: 1\n' });
    await expect(wrong).rejects.toThrow(InvalidError);
    await expect(wrong).rejects.toThrow('line 2');
  });

  it('shows for adopted default rules what their save changes', async () => {
    await tierTwoSent(cast, [
      started('none'),
      ...command('dig -f /etc/passwd'),
      ...command('dig 127.0.0.1'),
    ]);
    await save(1, { allowedTools: ['Bash(dig:*)'] });
    const former = rules({ allowedTools: ['Bash(dig:*)'] });
    const policy = { ...former, tiers: withCurrentDefaults(former.tiers) };
    const shown = await next({ policy }, 2);
    expect(shown.groups).toMatchObject([
      { kind: 'newly_refused', tier: 2, listed: [{ command: 'dig -f /etc/passwd' }] },
    ]);
    await adoptDefaultRules(cast.alice, { project: 'checkout', baseVersion: 2 });
    expect(await next({ version: 3 }, 2)).toEqual(shown);
  });
});
