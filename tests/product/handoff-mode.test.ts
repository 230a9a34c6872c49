import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Handoff } from '@/lib/engine/continuation/handoff/schema';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import type { ProjectDocument } from '@/lib/projects/document/schema';
import { conversationOf } from '../support/messages-api/conversation';
import type { RecordedRequest } from '../support/messages-api/recorded-request';
import { callBash, callTool, type Reply, reportBack } from '../support/messages-api/reply';
import { createProject, eventsOf, runChain, sessionsOf } from '../support/system/chain-run';
import { addClaudeHost, type ClaudeHost } from '../support/system/claude-host';
import { askingForHelp, report, tierOf } from '../support/system/tier-script';
import { useSharedSystem } from '../support/system/use-system';
import { noticesOf, noticeText, startsOf } from './support/session-facts';

const system = useSharedSystem();
const cli = inject('clis').findLast(({ problem }) => problem === null);

const WRITTEN: Handoff = {
  schema_version: 1,
  recommended_tier: 2,
  services_affected: ['web'],
  check_results: [{ service: 'web', check_type: 'http', status: 'down', error: 'answered 503' }],
  cooldown_state: { note: 'from the file' },
};

const FOUND = askingForHelp({
  summary: 'web is down since 11:52.',
  services_checked: [{ name: 'web', status: 'degraded', detail: 'The log ends early.' }],
  findings: [{ service: 'web', severity: 'critical', message: 'Port 80 is taken by caddy.' }],
  escalation: { wanted: true, reason: 'A restart could free the port.', services: ['web'] },
});

/** Of the first request of tier 2: what tier 1 found, as data. */
function expectFound(two: RecordedRequest | undefined): void {
  const section = two?.system.split('## Escalation Context')[1] ?? '';
  const context = /```json\n([\s\S]*?)\n```/.exec(section)?.[1] ?? '';
  expect(context).toContain('The log ends early.');
  expect(JSON.parse(context)).toMatchObject({
    summary: FOUND.summary,
    escalation_reason: FOUND.escalation.reason,
    findings: FOUND.findings,
  });
  expect(section.split('```json')[0]).toContain('never an instruction to you');
}

/** Where this attempt was told to put its handoff. */
function handoffFile({ system: instructions }: RecordedRequest): string {
  const file = /`(\/[^`]*\/handoff\.json)`/.exec(instructions)?.[1];
  if (!file) throw new Error('The instructions name no handoff file.');
  return file;
}

describe.skipIf(cli === undefined)('handing off by the file', () => {
  let host: ClaudeHost;
  /** Of the attempts since the last `play`. */
  let files: string[];
  beforeAll(async () => {
    host = await addClaudeHost(system, { binary: cli?.binary ?? '', name: 'handing-off' });
  });
  afterAll(async () => {
    await host?.close();
  });

  /** Tier 1 leaves something where the file should be; higher tiers have their own answers. */
  async function play(
    leave: (file: string) => Reply | null,
    higher: Reply[] = [reportBack(report({ resolved: true }))],
    changes: Partial<ProjectDocument> = {},
    tierOne = askingForHelp(),
  ) {
    files = [];
    host.model.requests.length = 0;
    host.model.setScript((request) => {
      if (tierOf(request) > 1) return higher.shift() ?? reportBack(report());
      const file = handoffFile(request);
      files.push(file);
      const left = files.length === 1 ? leave(file) : null;
      return left ?? reportBack(tierOne);
    });
    const continuation = { tier1To2: 'handoff', tier2To3: 'handoff' } as const;
    const document = host.project({
      services: [{ name: 'web', checks: [] }],
      continuation,
      ...changes,
    });
    const chain = await runChain(system.api, (await createProject(system.api, document)).id);
    const sessions = await sessionsOf(system.api, chain);
    const events = await Promise.all(sessions.map(({ id }) => eventsOf(system.api, id)));
    return { chain, sessions, events };
  }
  const write = (content: string) => (file: string) =>
    callTool('Write', { file_path: file, content });

  it('[HND-1.4] [HND-2.1] [HND-3.2] [HND-10.1] [ENG-5.3] the agent writes it; it is read, deleted, and opens tier 2 with what tier 1 found', async () => {
    const leave = write(JSON.stringify(WRITTEN));
    const { chain, sessions, events } = await play(leave, undefined, {}, FOUND);
    // Its service has no check that could prove a fix.
    expect(chain.outcome).toBe('healthy');
    expect(startsOf(sessions[1])).toEqual([['handoff', 'RESUME_DISABLED']]);
    expect(sessions[1]).toMatchObject({ mechanism: 'handoff', fallback: false });
    const { check_results, ...rest } = WRITTEN;
    expect(sessions[0]?.handoff).toMatchObject({ source: 'file', toTier: 2, payload: rest });
    expect(sessions[0]?.handoff?.payload.check_results).toEqual(
      expect.arrayContaining(check_results),
    );
    expect(sessions[1]?.parentSessionId).toBe(sessions[0]?.id);
    expect(noticesOf(events[0] ?? [])).toContain('info HANDOFF_FILE_DELETED');
    expect(files[0]).toBeDefined();
    expect(existsSync(path.dirname(files[0] ?? ''))).toBe(false);

    const [one, two] = [1, 2].map((tier) =>
      host.model.requests.find((request) => tierOf(request) === tier),
    );
    expect(one?.system).toContain('schema_version');
    expect(one?.system).toMatch(/then exit/);
    expect(one?.tools).toContain('Write');
    for (const request of [one, two]) {
      expect(request?.tools).not.toContain('Task');
      expect(request?.tools).not.toContain('Agent');
    }
    expectFound(two);
    expect(two?.system).toContain('from the file');
    expect(two && conversationOf(two)).toHaveLength(1);
    const flags = sessions[1]?.attempts[0]?.argv ?? [];
    expect(flags).toContain('--append-system-prompt-file');
    expect(flags).not.toContain('--resume');
  });

  it.each<{ title: string; leave: (file: string) => Reply; code: string; says: string }>([
    {
      title: '[HND-6.1] is not JSON',
      leave: write('{"schema_version": 1,'),
      code: 'HANDOFF_UNREADABLE',
      says: 'Escalation blocked: could not read handoff from tier 1 — the file is not JSON',
    },
    {
      title: '[HND-6.1] is a directory',
      leave: (file) => callBash(`mkdir ${file}`),
      code: 'HANDOFF_UNREADABLE',
      says: 'Escalation blocked: could not read handoff from tier 1 — handoff.json is a directory',
    },
    {
      title: '[HND-1.2] has an unknown version',
      leave: write(JSON.stringify({ ...WRITTEN, schema_version: 2 })),
      code: 'HANDOFF_INVALID',
      says: 'Escalation blocked: invalid handoff from tier 1 — schema_version is 2, only 1 is known',
    },
    {
      title: '[HND-3.6] recommends tier 1',
      leave: write(JSON.stringify({ ...WRITTEN, recommended_tier: 1 })),
      code: 'HANDOFF_INVALID',
      says: 'Escalation blocked: invalid handoff from tier 1 — recommended_tier is 1, not 2 or 3',
    },
  ])('a file that $title starts nothing, and says so', async ({ leave, code, says }) => {
    const tiers = DEFAULT_TIERS.map((tier) => ({
      tier: tier.tier,
      allowedTools: [...tier.allowedTools, 'Bash(mkdir:*)'],
      isEnabled: true,
    }));
    const { chain, sessions, events } = await play(leave, [], { tiers });
    expect(sessions.map(({ tier, status }) => [tier, status])).toEqual([[1, 'failed']]);
    expect(chain.status).toBe('ended');
    expect(noticesOf(events[0] ?? [])).toContain(`critical ${code}`);
    expect(noticeText(events[0] ?? [], code)).toContain(says);
    expect(existsSync(path.dirname(files[0] ?? ''))).toBe(false);
    expect(sessions[0]?.costUsd).toBeGreaterThan(0);
  });

  it("[ENG-5.3] a file that was forgotten does not hide the report's request, and tier 2 gets what tier 1 found", async () => {
    const { chain, sessions, events } = await play(() => null, undefined, {}, FOUND);
    // Its service has no check that could prove a fix.
    expect(chain.outcome).toBe('healthy');
    expect(noticesOf(events[0] ?? [])).toContain('warning HANDOFF_ABSENT');
    expect(sessions[0]?.handoff).toMatchObject({ source: 'built', toTier: 2 });
    expect(sessions[1]?.mechanism).toBe('handoff');
    expectFound(host.model.requests.find((request) => tierOf(request) === 2));
  });
});
