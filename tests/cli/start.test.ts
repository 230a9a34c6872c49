import path from 'node:path';
import { expect, it } from 'vitest';
import { surplusTools } from '@/lib/agents/claude/offered-tools';
import type { Tier } from '@/lib/protocol/spec';
import { textOf } from '../support/messages-api/recorded-request';
import { callBash, callTool, reportBack } from '../support/messages-api/reply';
import { tierStart } from './support/cli-host';
import { describeCli } from './support/describe-cli';

const report = reportBack({ summary: 'all is well' });

describeCli('a start', (withBench, { version }) => {
  it.each<[Tier, string[]]>([
    [1, ['Bash', 'Grep', 'Read']],
    [2, ['Bash', 'Edit', 'Grep', 'Read', 'Write']],
    [3, ['Bash', 'Edit', 'Grep', 'Read', 'Write']],
  ])(
    '[RES-1.1] [HND-3.1] [RES-6.1] tier %d is offered its tools, its report and the check, and nothing else',
    (tier, builtIn) =>
      withBench([report], async ({ api, run }) => {
        const spec = tierStart(tier);
        const { init, results, exit, stderr } = await run(spec);
        const tools = [...builtIn, 'StructuredOutput', 'mcp__tierwatch__check'].sort();
        expect(init?.tools.toSorted()).toEqual(tools);
        expect(api.requests[0]?.tools.toSorted()).toEqual(tools);
        expect(init && surplusTools(spec, init)).toEqual([]);
        expect(init).toMatchObject({
          cliSessionId: spec.cliSessionId,
          cliVersion: version,
          permissionMode: 'dontAsk',
          mcpServers: [{ name: 'tierwatch', status: 'connected' }],
        });
        expect({ exit, stderr }).toEqual({ exit: { code: 0, signal: null }, stderr: '' });
        expect(results).toMatchObject([{ structuredOutput: { summary: 'all is well' } }]);
        // A tool beyond the spec is seen.
        const beyond = builtIn.filter((name) => name === 'Edit' || name === 'Write');
        expect(init && surplusTools(tierStart(1), init)).toEqual(beyond);
      }),
  );

  // A busy host: the CLI by itself continues without the server after five seconds, or at once.
  it('waits for the tools of a server that is slow to come up', () =>
    withBench([report], async ({ api, host, run }) => {
      const args = [path.resolve(import.meta.dirname, 'support/check-server.mjs'), '7000'];
      host.layout.mcpServer = { type: 'stdio', command: process.execPath, args };
      await run(tierStart(1));
      expect(api.requests[0]?.tools).toContain('mcp__tierwatch__check');
    }));

  it('prompt and system text reach the model, a slash at its beginning too; a file that it names does not', () =>
    withBench([report], async ({ api, run }) => {
      await run(
        tierStart(1, {
          prompt: '/cost @/etc/passwd',
          systemPrompt: 'You observe. '.repeat(20_000),
        }),
      );
      const [request, ...others] = api.requests;
      expect(others).toEqual([]);
      expect(request?.system).toContain('You observe. You observe.');
      const said = textOf(request?.body.messages[0]?.content ?? '');
      expect(said).toContain('/cost @/etc/passwd');
      expect(JSON.stringify(request?.body)).not.toContain('root:x:0');
    }));

  it('the agent can run the check, and cannot see the key', () =>
    withBench(
      [
        callTool('mcp__tierwatch__check', { service: 'web' }),
        callBash('echo "$CLAUDEOPS_TIER $CLAUDEOPS_STATE_DIR $TIERWATCH_ATTEMPT"'),
        callBash('set'),
        report,
      ],
      async ({ host, run, api }) => {
        const { events } = await run(tierStart(1, { allowedRules: ['Bash'] }));
        const [checked, echoed, environment] = events.filter(
          (event) => event.kind === 'tool_result',
        );
        expect(checked).toMatchObject({ denied: false, content: 'web is healthy' });
        expect(echoed?.stdout).toBe(`1 ${host.layout.stateDir} ${host.layout.marker}`);
        expect(environment?.stdout).toContain('TIERWATCH_ATTEMPT');
        expect(environment?.stdout).not.toContain(host.layout.apiKey);
        expect(api.requests[0]?.headers['x-api-key']).toBe(host.layout.apiKey);
      },
    ));
});
