import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { classifyAttemptEnd } from '@/lib/agents/claude/classify';
import type { StartSpec } from '@/lib/protocol/spec';
import { conversationOf } from '../support/messages-api/conversation';
import type { RecordedRequest } from '../support/messages-api/recorded-request';
import { callBash, reportBack } from '../support/messages-api/reply';
import { resumeOf, tierStart } from './support/cli-host';
import { describeEachCli } from './support/describe-cli';
import { endFacts } from './support/end-facts';

const ESCALATION = 'You are now tier 2. Affected: web.';

async function transcript(configDir: string, sessionId: string): Promise<string> {
  const files = await readdir(path.join(configDir, 'projects'), { recursive: true });
  const file = files.find((name) => name.endsWith(`${sessionId}.jsonl`));
  return file === undefined ? '' : readFile(path.join(configDir, 'projects', file), 'utf8');
}

/** What the parent was told and said, then exactly one user message: the escalation prompt. */
function expectContinued(parent: RecordedRequest | undefined, child: RecordedRequest | undefined) {
  const told = parent === undefined ? [] : conversationOf(parent);
  const continued = child === undefined ? [] : conversationOf(child);
  expect(continued.slice(0, told.length)).toEqual(told);
  const [said, accepted, ...prompt] = continued.slice(told.length);
  expect(said).toMatchObject({ role: 'assistant', blocks: [{ name: 'StructuredOutput' }] });
  expect(accepted).toMatchObject({ role: 'user', blocks: [{ type: 'tool_result' }] });
  expect(prompt).toEqual([{ role: 'user', blocks: [{ type: 'text', text: ESCALATION }] }]);
}

describeEachCli('continuing a conversation', (withBench) => {
  const next = (parent: StartSpec, changes: Partial<StartSpec> = {}) =>
    tierStart(2, { prompt: ESCALATION, continuation: resumeOf(parent), ...changes });

  it("[RES-2.4] [RES-2.1] [RES-2.2] each tier's request is what the tiers before were told and said, and one user message", () =>
    withBench(
      [
        callBash('docker ps'),
        reportBack({ summary: 'web is down' }),
        reportBack({ summary: 'restarted' }),
        reportBack({ summary: 'restarted again' }),
        reportBack({ summary: 'redeployed' }),
      ],
      async ({ api, host, run }) => {
        await host.addProgram('docker');
        const one = tierStart(1, { prompt: 'Look at web.', systemPrompt: 'Tier 1 observes.' });
        await run(one);
        const before = await transcript(host.layout.configDir, one.cliSessionId);
        expect(before).not.toBe('');
        const two = next(one, { systemPrompt: 'Tier 2 may restart.' });
        const { init } = await run(two);
        expectContinued(api.requests[1], api.requests[2]);
        expect(init?.cliSessionId).toBe(two.cliSessionId);
        // Instructions are passed again: a resumed start restores none.
        expect(api.requests[2]?.system).toContain('Tier 2 may restart.');
        expect(api.requests[2]?.system).not.toContain('Tier 1 observes.');
        // The fork leaves the parent's conversation as it was, for a second try.
        expect(await transcript(host.layout.configDir, one.cliSessionId)).toBe(before);
        await run(next(one));
        expectContinued(api.requests[1], api.requests[3]);

        await run(tierStart(3, { prompt: 'You are tier 3.', continuation: resumeOf(two) }));
        const told = JSON.stringify(api.requests[4] && conversationOf(api.requests[4]));
        const parts = ['Look at web.', 'ran docker ps', 'web is down', ESCALATION, 'restarted'];
        const places = [...parts, 'You are tier 3.'].map((part) => told.indexOf(part));
        expect(places.every((at) => at >= 0)).toBe(true);
        expect(places).toEqual(places.toSorted((a, b) => a - b));

        // A conversation of its own doesn't pass the comparison.
        expect(() => expectContinued(api.requests[1], api.requests[0])).toThrow();
      },
    ));

  it('[RES-1.1] [RES-7.2] an unknown conversation is a rejected resume, costs nothing, makes no pointer', () =>
    withBench([], async ({ api, run }) => {
      const lost = tierStart(1, { cliSessionId: randomUUID() });
      const spec = next(lost);
      const cli = await run(spec);
      expect(cli.init).toBeNull();
      expect(api.requests).toEqual([]);
      // The result names our new id although no such conversation exists.
      expect(classifyAttemptEnd(endFacts(spec, cli, { transcriptSeen: false }))).toMatchObject({
        end: 'resume_rejected',
        pointer: 'retired',
        retry: { kind: 'once' },
      });
    }));
});
