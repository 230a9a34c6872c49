/** The demo agent as one side of a conversation. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoAgent } from '@/lib/agents/demo/demo-agent';
import { askPrompts } from '@/lib/engine/prompts/ask-prompt';
import { breakDemo, findDemoServices } from '@/lib/projects/demo-service/client';
import { demoProjectConfig } from '@/lib/projects/demo-service/project-config';
import { expandRules } from '@/lib/projects/rules/placeholders';
import { type StartSpec, serviceSchema } from '@/lib/protocol/spec';
import {
  type Host,
  makeHost,
  runAgent,
  startSpec,
  transcript,
} from '@/tests/support/demo/agent-run';
import { type RunningDemo, startDemo } from '@/tests/support/demo/service';
import { FROM_TRANSCRIPT } from '@/tests/support/demo/transcript';

describe('a turn', () => {
  let host: Host;

  beforeEach(async () => {
    const services = ['here', 'there'].map((name) =>
      serviceSchema.parse({ name, checks: [{ type: 'dns', target: 'localhost' }] }),
    );
    host = await makeHost(services, '/bin');
  });
  afterEach(() => rm(host.dir, { recursive: true }));

  const ask = (prompt: string, more: Partial<StartSpec> = {}) =>
    startSpec(1, {
      purpose: 'ask',
      reportSchema: null,
      questionWaitSeconds: 60,
      prompt,
      systemPrompt:
        '# Questions\n\n## Services\n\n- here: dns localhost\n- there: no check\n\n## Rules\n',
      ...more,
    });
  const following = (parent: StartSpec): Partial<StartSpec> => ({
    continuation: { mode: 'resume', parentCliSessionId: parent.cliSessionId },
  });

  it('[CNV-1.1] says why the resumed chain acted, and looks when asked how things stand', async () => {
    const gone = { type: 'process', target: 'no-such-program' };
    const broken = JSON.stringify([{ name: 'here', checks: [gone] }]);
    await writeFile(path.join(host.dir, 'services.json'), broken);
    await writeFile(
      path.join(host.dir, 'democtl'),
      '#!/bin/sh\necho "it will not start"\nexit 1\n',
      { mode: 0o755 },
    );
    const own = { ...host.passThrough, PATH: `${host.dir}:${process.env.PATH}` };
    const tier = startSpec(2, { allowedRules: ['Bash(democtl restart:*)'] });
    await runAgent(tier, { ...host, passThrough: own });

    const why = ask('Why did you restart here?', following(tier));
    const told = await runAgent(why, host);
    expect(told).toMatchObject({ code: 0, result: { isError: false, structuredOutput: null } });
    expect(told.result?.text).toMatch(
      /^here was down when tier 2 checked it at [\d:]{8} UTC: its process was gone\. A restart is the safe remediation for a process that has ended, so tier 2 ran `democtl restart here` at [\d:]{8} UTC\. That didn’t help: it will not start\.\n/,
    );
    expect(told.result?.text).toContain('demo agent: no model wrote this');
    expect(told.events.filter(({ kind }) => kind === 'tool_call')).toEqual([]);

    const repaired = JSON.stringify([
      { name: 'here', checks: [{ type: 'dns', target: 'localhost' }] },
    ]);
    await writeFile(path.join(host.dir, 'services.json'), repaired);
    const now = await runAgent(ask('Is here still down?', following(why)), host);
    expect(now.result?.text).toContain(
      'here is healthy right now: I just ran its check, and it passed.',
    );
  });

  it('writes its answer a few words at a time', async () => {
    const run = await runAgent(ask('Why did you restart web?'), { ...host, mcpServer: null });
    const parts = run.events.filter((event) => event.kind === 'answer_part');
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.map(({ text }) => text).join('')).toBe(run.result?.text);
    const kinds = run.events.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('answer_part')).toBeLessThan(kinds.lastIndexOf('text'));
  });

  it('says that it knows nothing where nothing came before', async () => {
    const run = await runAgent(ask('Why did you restart web?'), { ...host, mcpServer: null });
    expect(run.result?.text).toContain('I haven’t looked at anything in this conversation yet');
  });

  it('[CNV-1.1] answers from a transcript', async () => {
    const run = await runAgent(ask(FROM_TRANSCRIPT, { continuation: { mode: 'transcript' } }), {
      ...host,
      mcpServer: null,
    });
    expect(run.result?.text).toContain('Tier 2 ran `democtl restart web`.');
  });

  it('[CNV-4.3] [CNV-4.2] asks which service, once, and never again what was answered', async () => {
    const first = ask('Check one of them; ask me which.');
    const one = await runAgent(first, host, undefined, { 'Which service do you mean?': 'there' });
    expect(one.events.filter(({ kind }) => kind === 'question')).toMatchObject([
      { questions: [{ header: 'Service', options: [{ label: 'here' }, { label: 'there' }] }] },
    ]);
    expect(one).toMatchObject({ code: 0 });
    expect(one.result?.text).toContain('You chose there.');
    expect(one.result?.text).toContain('there is healthy right now');
    expect(one.result?.text).not.toMatch(/\bhere is healthy/);

    const again = await runAgent(
      ask('Ask me which service, then check it.', following(first)),
      host,
    );
    expect(again.events.some(({ kind }) => kind === 'question')).toBe(false);
    expect(again.result?.text).toContain('You chose there before.');
  });

  it.each([
    ['nobody answers', 60],
    ['it cannot ask', null],
  ])('[CNV-4.3] says what it would have asked where %s', async (_, questionWaitSeconds) => {
    const quick = { ...host, mcpServer: null };
    const run = await runAgent(ask('Ask me something.', { questionWaitSeconds }), quick);
    expect(run).toMatchObject({ code: 0, result: { isError: false } });
    expect(run.result?.text).toContain('I would have asked: Which service do you mean?');
  });
});

describe('[PAG-3.3] after a chain that repaired the demo’s own service', () => {
  let demo: RunningDemo;
  let host: Host;
  let observed: StartSpec;
  let last: StartSpec;
  let promptsFor: (message: string) => { prompt: string; systemPrompt: string };

  beforeAll(async () => {
    demo = await startDemo();
    const services = await findDemoServices(demo.dataDir);
    if (!services) throw new Error('The demo service has told no ports.');
    const config = demoProjectConfig(services, 'open');
    host = await makeHost(config.services, demo.paths.binDir);
    await breakDemo(demo.dataDir, 'crash');
    const rulesOf = (tier: 1 | 2) => ({
      allowedRules: expandRules(config.tiers[tier - 1]?.allowedTools ?? [], config.services),
    });
    const first = startSpec(1, rulesOf(1));
    await runAgent(first, host);
    observed = first;
    last = startSpec(2, {
      ...rulesOf(2),
      prompt: 'You are now tier 2: safe remediation.',
      continuation: { mode: 'resume', parentCliSessionId: first.cliSessionId },
    });
    await runAgent(last, host);
    promptsFor = (message) =>
      askPrompts({
        project: 'Checkout',
        chain: '#1',
        services: config.services,
        toolNames: demoAgent.toolNames,
        tools: ['Bash'],
        allowedRules: rulesOf(1).allowedRules,
        disallowedRules: [],
        askFirstRules: [],
        instructions: config.instructions,
        keepsNotes: false,
        isContinuation: false,
        isResumed: true,
        message,
        transcript: null,
      });
  });
  afterAll(async () => {
    await demo.stop();
    await rm(host.dir, { recursive: true });
  });

  async function answerTo(question: string, parent = last): Promise<string> {
    const spec = startSpec(1, {
      purpose: 'ask',
      reportSchema: null,
      questionWaitSeconds: 60,
      ...promptsFor(question),
      continuation: { mode: 'resume', parentCliSessionId: parent.cliSessionId },
    });
    const { result } = await runAgent(spec, host);
    return result?.text ?? '';
  }

  it('says why web was restarted, with the times at which it happened', async () => {
    const lines = (await transcript(host, last.cliSessionId)).trim().split('\n');
    const at = (isMeant: (line: string) => boolean) =>
      String(JSON.parse(lines.find(isMeant) ?? '{}').timestamp).slice(11, 19);
    const seen = at((line) => line.includes('"tool_result"') && line.includes('web: down'));
    const told = await answerTo('Why did you restart web?');
    expect(told).toContain(
      `web was down when tier 1 checked it at ${seen} UTC: its HTTP check failed (connection refused) and its process was gone. Its process had been ended by SIGKILL.`,
    );
    expect(told).toMatch(
      /A restart is the safe remediation for a process that has ended, so tier 2 ran `democtl restart web` at [\d:]{8} UTC\. It passed its checks again (within a second|\d+ s later)\./,
    );
    expect(told).not.toMatch(/\b(api|db)\b/);
  });

  it('says why a chain needs a human that ended in tier 1', async () => {
    const told = await answerTo('Why does Chain #1 need a human?', observed);
    expect(told).toMatch(/^web was down when tier 1 checked it at /);
    expect(told).toContain('only tier 1 ran, and tier 1 only observes.');
  });

  it.each([
    ['What changed?', /^One thing was changed: tier 2 ran `democtl restart web` at /],
    ['How do things stand?', /^web, api and db are healthy right now: /],
    ['Is the disk still filling?', /^I can’t tell: no check of this project measures that/],
    ['What would you do next?', /^Nothing urgent\. web, api and db are healthy right now: /],
    [
      'What did it cost?',
      /^About \$0\.\d+ so far \(\$[\d.]+ for demo-haiku and \$[\d.]+ for demo-sonnet\)/,
    ],
    ['Did you restart db? Why?', /^I didn’t restart db: no such command is in this conversation\./],
    [
      'What does a chain of Checkout check?',
      /^Each chain checks web by HTTP and its process, api by HTTP and TCP and db by TCP, DNS and its process\./,
    ],
    ['Write me a poem.', /^I can’t answer that: I’m a script without a model\./],
  ])('%s', async (question, answer) => {
    const told = await answerTo(question);
    expect(told).toMatch(answer);
    // Sentences, never a dump of lines.
    expect(told).not.toMatch(/^\s*[-*•] /m);
    expect(told).not.toMatch(/https?:\/\//);
    for (const paragraph of told.split('\n\n')) expect(paragraph).toMatch(/[.?)_]$/);
  });
});
