import { access, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { surplusTools } from '@/lib/agents/claude/offered-tools';
import { parseHandoff } from '@/lib/engine/continuation/handoff/parse';
import { renderHandoffContext } from '@/lib/engine/continuation/handoff/render';
import { breakDemo, findDemoServices } from '@/lib/projects/demo-service/client';
import { demoProjectConfig } from '@/lib/projects/demo-service/project-config';
import { expandRules } from '@/lib/projects/rules/placeholders';
import type { ProjectConfig } from '@/lib/projects/schema';
import { parseReport } from '@/lib/protocol/report';
import type { StartSpec, Tier } from '@/lib/protocol/spec';
import {
  type Host,
  makeHost,
  type Run,
  runAgent,
  startSpec,
  transcript,
} from '@/tests/support/demo/agent-run';
import { type RunningDemo, startDemo } from '@/tests/support/demo/service';

let demo: RunningDemo;
let config: ProjectConfig;
let host: Host;

beforeAll(async () => {
  demo = await startDemo();
  const services = await findDemoServices(demo.dataDir);
  if (!services) throw new Error('no services.json');
  config = demoProjectConfig(services, 'open');
});

afterAll(() => demo.stop());

beforeEach(async () => {
  await demo.ctl('repair-config', 'web');
  await demo.ctl('restart', 'web');
  host = await makeHost(config.services, demo.paths.binDir);
  return () => rm(host.dir, { recursive: true });
});

function spec(tier: Tier, more: Partial<StartSpec> = {}): StartSpec {
  const policy = config.tiers[tier - 1];
  const allowedRules = expandRules(policy?.allowedTools ?? [], config.services);
  return startSpec(tier, { allowedRules, ...more });
}

function resumed(tier: Tier, parent: StartSpec): StartSpec {
  return spec(tier, {
    continuation: { mode: 'resume', parentCliSessionId: parent.cliSessionId },
    prompt: `Now you are tier ${tier}.`,
  });
}

function reportOf({ result }: Run) {
  const parsed = parseReport(result?.structuredOutput);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.report;
}

function commandsOf({ events }: Run): unknown[] {
  return events.flatMap((event) =>
    event.kind === 'tool_call' && event.tool === 'Bash' ? [event.input.command] : [],
  );
}

function textOf({ events }: Run): string {
  return events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('\n');
}

it('without a fault tier 1 ends healthy and wants nothing', async () => {
  const run = await runAgent(spec(1), host);
  expect(run).toMatchObject({
    code: 0,
    stderr: '',
    result: { subtype: 'success', isError: false },
  });
  expect(reportOf(run)).toMatchObject({
    summary: 'All 3 services are healthy.',
    escalation: { wanted: false },
    actions_taken: [],
  });
  const init = run.events.find((event) => event.kind === 'init');
  expect(init).toMatchObject({ cliVersion: 'demo-1', mcpServers: [{ status: 'connected' }] });
  expect(init && surplusTools(spec(1), init)).toEqual([]);
  expect(host.checked).toHaveLength(7);
});

it('a crash: tier 1 sees it, tier 2 resumes, cites what tier 1 saw, and really restarts web', async () => {
  await breakDemo(demo.dataDir, 'crash');
  const first = spec(1);
  const seen = await runAgent(first, host);
  expect(reportOf(seen)).toMatchObject({ escalation: { wanted: true, services: ['web'] } });
  expect(commandsOf(seen)).toEqual(['democtl status']);
  const before = await transcript(host, first.cliSessionId);

  const second = resumed(2, first);
  const repaired = await runAgent(second, host);
  const port = new URL(config.services[0]?.checks[0]?.target ?? '').port;
  expect(textOf(repaired)).toContain(
    `Earlier in this conversation the checks said about web: "http http://127.0.0.1:${port}/health: down. Connection refused."`,
  );
  expect(commandsOf(repaired)).toEqual(['democtl restart web']);
  expect(reportOf(repaired)).toMatchObject({
    resolved: true,
    escalation: { wanted: false },
    actions_taken: [{ service: 'web', action: 'restart', command: 'democtl restart web' }],
  });
  expect((await demo.ctl('status')).code).toBe(0);
  // Forked: the parent's conversation stays as it was, the child's begins with it.
  expect(await transcript(host, first.cliSessionId)).toBe(before);
  expect((await transcript(host, second.cliSessionId)).length).toBeGreaterThan(before.length);
});

it('a broken configuration: tier 2 can’t fix it, tier 3 repairs it and cites the failed restart', async () => {
  await breakDemo(demo.dataDir, 'config');
  const first = spec(1);
  await runAgent(first, host);
  const second = resumed(2, first);
  const tried = await runAgent(second, host);
  expect(reportOf(tried)).toMatchObject({
    resolved: false,
    escalation: {
      wanted: true,
      services: ['web'],
      reason: expect.stringContaining('"workers" must be'),
    },
  });
  const third = await runAgent(resumed(3, second), host);
  expect(textOf(third)).toContain('Then "democtl restart web" answered: web did not start');
  expect(commandsOf(third)).toEqual([
    'democtl status',
    'democtl repair-config web',
    'democtl restart web',
  ]);
  expect(reportOf(third)).toMatchObject({ resolved: true, escalation: { wanted: false } });
  expect((await demo.ctl('status')).code).toBe(0);
});

it('a rule that is not there stops a tier, in the events as in the report', async () => {
  await breakDemo(demo.dataDir, 'crash');
  const run = await runAgent(spec(2, { allowedRules: ['Bash(democtl status)'] }), host);
  expect(run.events).toContainEqual(
    expect.objectContaining({ kind: 'tool_result', isError: true, denied: true }),
  );
  expect(run.result?.permissionDenials).toMatchObject([{ tool: 'Bash' }]);
  expect(run).toMatchObject({ code: 0, result: { subtype: 'success', isError: false } });
  expect(reportOf(run).escalation.reason).toContain('Not allowed here: democtl restart web');
  expect((await demo.ctl('status')).output).toContain('web: down');
});

it('a denied command stays denied although another rule allows it', async () => {
  await breakDemo(demo.dataDir, 'crash');
  const run = await runAgent(spec(2, { disallowedRules: ['Bash(democtl restart:*)'] }), host);
  expect(run.events).toContainEqual(
    expect.objectContaining({
      content: 'Permission to use Bash with command democtl restart web has been denied.',
    }),
  );
});

it('with handoff it reads the context, and writes a valid handoff.json when it wants more', async () => {
  await breakDemo(demo.dataDir, 'config');
  const handoffFile = path.join(host.stateDir, 'handoff.json');
  const readHandoff = async (tier: 1 | 2) => {
    const parsed = parseHandoff(await readFile(handoffFile, 'utf8'), tier);
    if (!parsed.ok) throw new Error(parsed.error);
    await rm(handoffFile);
    return parsed.handoff;
  };
  await runAgent(spec(1, { writesHandoffFile: true }), host);
  const first = await readHandoff(1);
  expect(first).toMatchObject({ recommended_tier: 2, services_affected: ['web'] });

  const context = (tier: Tier, handoff: typeof first) =>
    renderHandoffContext(handoff, { tier, session: '#1', asOf: new Date() }).text;
  const handedOver = { continuation: { mode: 'handoff' as const } };
  const second = await runAgent(
    spec(2, { ...handedOver, writesHandoffFile: true, systemPrompt: context(1, first) }),
    host,
  );
  expect(textOf(second)).toContain('The escalation context says about web: "http: down');
  const next = await readHandoff(2);
  expect(next.check_results.slice(0, first.check_results.length)).toEqual(first.check_results);
  expect(next.remediation_attempted).toContain('democtl restart web');

  const third = await runAgent(spec(3, { ...handedOver, systemPrompt: context(2, next) }), host);
  expect(reportOf(third)).toMatchObject({ resolved: true });
  await expect(access(handoffFile)).rejects.toThrow();
});

it('an observe-only start of tier 2 changes nothing, and says what stands', async () => {
  await breakDemo(demo.dataDir, 'crash');
  const prompt = 'An attempt ended in the middle of its work. Only observe: change nothing.';
  const run = await runAgent(spec(2, { purpose: 'reconcile', prompt }), host);
  expect(commandsOf(run)).toEqual(['democtl status']);
  expect(reportOf(run)).toMatchObject({ resolved: false, actions_taken: [] });
});

it('writes no handoff.json when it was not asked to', async () => {
  await breakDemo(demo.dataDir, 'crash');
  await runAgent(spec(1), host);
  await expect(access(path.join(host.stateDir, 'handoff.json'))).rejects.toThrow();
});

it('[PAG-2.2] a project without the demo’s supervisor is only checked, and hears nothing of it', async () => {
  await breakDemo(demo.dataDir, 'crash');
  for (const tier of [1, 2, 3] as const) {
    const run = await runAgent(spec(tier, { allowedRules: [] }), host);
    expect(commandsOf(run)).toEqual([]);
    expect(JSON.stringify([reportOf(run), textOf(run)])).not.toMatch(/democtl|supervisor|restart/);
    expect(reportOf(run).escalation).toMatchObject({ services: ['web'] });
  }
});
