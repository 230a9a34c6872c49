import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { expandRules } from '@/lib/projects/rules/placeholders';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, type Played, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

async function runTierOne(cast: Cast, played: Played, start: { dryRun?: boolean } = {}) {
  const { chainId } = await startChain(cast.alice, {
    projectId: cast.projectId,
    trigger: 'manual',
    ...start,
  });
  await play(cast.runner, await claimNext(cast.runner), played);
  return readChain(cast.alice, chainId);
}

const handoffMode: Partial<ProjectConfig> = {
  continuation: { tier1To2: 'handoff', tier2To3: 'handoff' },
};
const file = (content: unknown): Played => ({
  report: wantsHelp(),
  result: { handoffFile: { state: 'read', content: JSON.stringify(content) } },
});
const valid = {
  schema_version: 1,
  recommended_tier: 2,
  services_affected: ['web'],
  check_results: [{ service: 'web', check_type: 'http', status: 'down', error: 'refused' }],
  cooldown_state: {},
};

describe('what follows tier 1', () => {
  it('[HND-1.3] healthy services end the chain without a handoff', async () => {
    const rows = await runTierOne(await makeCast(), { report: {} });
    expect(rows.chain).toMatchObject({ outcome: 'healthy', status: 'ended' });
    expect(rows.handoffs).toEqual([]);
    expect(rows.sessions).toHaveLength(1);
  });

  it('[HND-3.3] a dry run suppresses the escalation and says what it would have done', async () => {
    const rows = await runTierOne(
      await makeCast(),
      { report: wantsHelp(['web', 'db']) },
      { dryRun: true },
    );
    expect(rows.chain.outcome).toBe('suppressed');
    expect(rows.events.map((event) => event.message)).toContain(
      'Escalation suppressed (dry run): would have escalated to tier 2 for: web, db',
    );
    expect(rows.attempts).toHaveLength(1);
  });

  it('[HND-3.4] above the maximum tier nothing starts and a human is told', async () => {
    const rows = await runTierOne(await makeCast({ maxTier: 1 }), { report: wantsHelp() });
    expect(rows.chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'MAX_TIER' });
    expect(rows.sessions).toHaveLength(1);
  });

  it('a project observes only until tier 2 is switched on', async () => {
    const [one, two, three] = DEFAULT_TIERS;
    const cast = await makeCast({ tiers: [one, { ...two, isEnabled: false }, three] });
    const rows = await runTierOne(cast, { report: wantsHelp() });
    expect(rows.chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'TIER_DISABLED' });
  });

  it.each([
    [
      'not JSON',
      { state: 'read', content: '{' },
      'Escalation blocked: could not read handoff from tier 1 — ',
    ],
    [
      'a directory',
      { state: 'unreadable', error: 'it is a directory' },
      'Escalation blocked: could not read handoff from tier 1 — ',
    ],
    [
      'of a wrong version',
      { state: 'read', content: JSON.stringify({ ...valid, schema_version: 2 }) },
      'Escalation blocked: invalid handoff from tier 1 — ',
    ],
    [
      'without check results',
      { state: 'read', content: JSON.stringify({ ...valid, check_results: undefined }) },
      'Escalation blocked: invalid handoff from tier 1 — ',
    ],
    [
      'recommending tier 1',
      { state: 'read', content: JSON.stringify({ ...valid, recommended_tier: 1 }) },
      'Escalation blocked: invalid handoff from tier 1 — ',
    ],
    [
      'recommending tier 7',
      { state: 'read', content: JSON.stringify({ ...valid, recommended_tier: 7 }) },
      'Escalation blocked: invalid handoff from tier 1 — ',
    ],
  ] as const)(
    '[HND-1.2] [HND-6.1] a handoff file that is %s blocks the chain',
    async (_name, handoffFile, message) => {
      const cast = await makeCast(handoffMode);
      const rows = await runTierOne(cast, { report: wantsHelp(), result: { handoffFile } });
      expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'failed' });
      const event = rows.events.find((each) => each.message.startsWith(message));
      expect(event).toMatchObject({ level: 'critical', sessionId: rows.sessions[0]?.id });
      expect(rows.sessions).toHaveLength(1);
    },
  );

  it('[HND-3.6] a request for tier 3 starts tier 2', async () => {
    const cast = await makeCast(handoffMode);
    await runTierOne(cast, file({ ...valid, recommended_tier: 3 }));
    const second = await claimNext(cast.runner);
    expect(second.start).toMatchObject({ tier: 2, continuation: { mode: 'handoff' } });
  });

  it('[HND-3.2] [HND-5.1] a handoff start carries model, prompt and context', async () => {
    const cast = await makeCast(handoffMode);
    const rows = await runTierOne(cast, file(valid));
    const second = await claimNext(cast.runner);
    expect(second.start.model).toBe('sonnet');
    expect(second.start.systemPrompt).toContain('## Escalation Context');
    expect(second.start.systemPrompt).toContain('refused');
    expect(second.start.writesHandoffFile).toBe(true);
    expect(rows.handoffs[0]).toMatchObject({ source: 'file', toTier: 2 });
  });

  it('[HND-3.5] after tier 3 nothing starts, and a further request calls a human', async () => {
    const cast = await makeCast();
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'TIER3_UNRESOLVED' });
    expect(rows.sessions).toHaveLength(3);
    expect(rows.attempts.every((attempt) => attempt.status === 'ended')).toBe(true);
  });

  it('an exhausted cooldown is left out of the next start and calls a human when nothing is left', async () => {
    const cast = await makeCast({
      cooldowns: [{ action: 'restart', limit: 0, windowSeconds: 3_600 }],
    });
    await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
    const first = await claimNext(cast.runner);
    expect(first.start.systemPrompt).toContain('Not allowed');
  });
});

describe('when an attempt fails', () => {
  it('[HND-2.1] [HND-2.3] the file is not read, the session takes the named end, and the next cycle can start', async () => {
    const cast = await makeCast(handoffMode);
    const rows = await runTierOne(cast, {
      isSilent: true,
      result: {
        exit: { code: null, signal: 'SIGTERM' },
        stopCause: 'timed_out',
        handoffFile: { state: 'deleted_unread', why: 'timed_out' },
      },
    });
    expect(rows.sessions[0]).toMatchObject({ status: 'timed_out' });
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'failed' });
    expect(rows.events.some((event) => event.level === 'critical')).toBe(true);
    await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
  });

  it('tier 1 is tried once more after a crash, and not a third time', async () => {
    const cast = await makeCast();
    const crash: Played = { isSilent: true, result: { exit: { code: null, signal: 'SIGSEGV' } } };
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });
    await play(cast.runner, await claimNext(cast.runner), crash);
    await play(cast.runner, await claimNext(cast.runner), crash);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.attempts).toHaveLength(2);
    expect(rows.chain.outcome).toBe('failed');
  });

  it.each([
    ['docker logs web 2>&1 | tail -5', ['tier', 'tier']],
    ['docker logs web 2>/dev/null', ['tier', 'tier']],
    ['docker logs web > web.log', ['tier', 'reconcile']],
    ['curl -sS http://web/health', ['tier', 'tier']],
    ['curl -X POST http://web/reload', ['tier', 'reconcile']],
    ['kubectl -n shop get pods -o json', ['tier', 'tier']],
    ['systemctl status nginx --no-pager', ['tier', 'tier']],
    ['kubectl delete pod web', ['tier', 'reconcile']],
  ])('[ENG-5.1] tier 2 that was killed after %s: %j', async (command, purposes) => {
    const cast = await makeCast();
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    const second = await claimNext(cast.runner);
    await play(cast.runner, second, {
      isSilent: true,
      events: [
        {
          kind: 'tool_call',
          messageId: 'm',
          toolUseId: 't1',
          tool: 'Bash',
          input: { command },
          parentToolUseId: null,
        },
      ],
      result: { exit: { code: null, signal: 'SIGKILL' } },
    });
    const { attempts } = await readChain(cast.alice, chainId);
    const own = attempts.filter(({ sessionId }) => sessionId === second.sessionId);
    expect(own.map(({ purpose }) => purpose)).toEqual(purposes);
  });

  it('tier 2 that may have changed something is looked at, never repeated', async () => {
    const cast = await makeCast();
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    await play(cast.runner, await claimNext(cast.runner), {
      isSilent: true,
      events: [
        {
          kind: 'tool_call',
          messageId: 'm',
          toolUseId: 't1',
          tool: 'Bash',
          input: { command: 'docker restart web' },
          parentToolUseId: null,
        },
      ],
      result: { exit: { code: null, signal: 'SIGKILL' } },
    });
    const look = await claimNext(cast.runner);
    expect(look.start).toMatchObject({ purpose: 'reconcile', continuation: { mode: 'handoff' } });
    expect(look.start.tools).toEqual(DEFAULT_TIERS[0].tools);
    expect(look.start.allowedRules).toEqual(
      expandRules(DEFAULT_TIERS[0].allowedTools, testConfig().services),
    );
    await play(cast.runner, look, { report: {} });
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'needs_human' });
    expect(rows.chain.servicesAffected).toEqual(['web']);
    expect(rows.attempts.filter((attempt) => attempt.purpose === 'tier')).toHaveLength(2);
  });
});
