/** The demo agent as one side of a conversation. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StartSpec, serviceSchema } from '@/lib/protocol/spec';
import { type Host, makeHost, runAgent, startSpec } from '@/tests/support/demo/agent-run';
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

  it('[CNV-1.1] says what the resumed chain looked at and did, and looks when asked how it stands', async () => {
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
    expect(told.result?.text).toContain('- here was down: process no-such-program: down');
    expect(told.result?.text).toContain('- `democtl restart here` answered: it will not start');
    expect(told.result?.text).toContain('demo agent: no model wrote this');
    expect(told.events.filter(({ kind }) => kind === 'tool_call')).toEqual([]);

    const repaired = JSON.stringify([
      { name: 'here', checks: [{ type: 'dns', target: 'localhost' }] },
    ]);
    await writeFile(path.join(host.dir, 'services.json'), repaired);
    const now = await runAgent(ask('Is here still down?', following(why)), host);
    expect(now.result?.text).toContain('The checks say now:\n- here is healthy');
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
    expect(run.result?.text).toContain('Nothing was looked at in this conversation yet.');
  });

  it('[CNV-1.1] answers from a transcript', async () => {
    const run = await runAgent(ask(FROM_TRANSCRIPT, { continuation: { mode: 'transcript' } }), {
      ...host,
      mcpServer: null,
    });
    expect(run.result?.text).toContain('`democtl restart web` answered: restarted web');
  });

  it('[CNV-4.3] [CNV-4.2] asks which service, once, and never again what was answered', async () => {
    const first = ask('Check one of them; ask me which.');
    const one = await runAgent(first, host, undefined, { 'Which service do you mean?': 'there' });
    expect(one.events.filter(({ kind }) => kind === 'question')).toMatchObject([
      { questions: [{ header: 'Service', options: [{ label: 'here' }, { label: 'there' }] }] },
    ]);
    expect(one).toMatchObject({ code: 0 });
    expect(one.result?.text).toContain('You chose there.');
    expect(one.result?.text).toContain('- there is healthy');
    expect(one.result?.text).not.toContain('- here is');

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
