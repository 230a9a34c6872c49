import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usageScope } from '@/lib/agents/claude/versions';
import { DEMO_AGENT_VERSION, demoBinary } from '@/lib/agents/demo/demo-agent';
import { runCheck } from '@/lib/protocol/checks/run-check';
import { checkSchema, serviceSchema } from '@/lib/protocol/spec';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import {
  type Host,
  makeHost,
  runAgent,
  startSpec,
  transcript,
} from '@/tests/support/demo/agent-run';

let host: Host;

beforeEach(async () => {
  const services = [{ name: 'here', checks: [{ type: 'dns', target: 'localhost' }] }];
  host = await makeHost(
    services.map((service) => serviceSchema.parse(service)),
    '/bin',
  );
});

afterEach(() => rm(host.dir, { recursive: true }));

/** Without its MCP server a start is quick; for what has nothing to do with checks. */
const quick = () => ({ ...host, mcpServer: null, passThrough: { ...host.passThrough } });

describe('accounting', () => {
  it('books this process alone, and every request of it', async () => {
    const first = startSpec(1);
    const one = await runAgent(first, host);
    const resume = startSpec(1, {
      continuation: { mode: 'resume', parentCliSessionId: first.cliSessionId },
    });
    const two = await runAgent(resume, host);
    for (const run of [one, two]) {
      const requests = new Map(
        run.events.flatMap((event) =>
          event.kind === 'request_usage' && event.final ? [[event.messageId, event] as const] : [],
        ),
      );
      const sum = (pick: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens') =>
        [...requests.values()].reduce((total, event) => total + event[pick], 0);
      expect(run.result?.modelUsage['demo-haiku']).toMatchObject({
        inputTokens: sum('inputTokens'),
        outputTokens: sum('outputTokens'),
        cacheReadTokens: sum('cacheReadTokens'),
        cacheWriteTokens: sum('cacheWriteTokens'),
        costUsd: run.result?.totalCostUsd,
        contextWindow: 200_000,
      });
      expect(run.result?.numTurns).toBe(requests.size);
      expect(run.result?.totalCostUsd).toBeGreaterThan(0);
    }
    expect(usageScope(DEMO_AGENT_VERSION)).toBe('process');
    // The resumed one finds the parent's conversation in the cache.
    const firstRequest = two.events.find((event) => event.kind === 'request_usage');
    expect(firstRequest).toMatchObject({ cacheReadTokens: expect.any(Number) });
    expect(firstRequest?.kind === 'request_usage' && firstRequest.cacheReadTokens).toBeGreaterThan(
      3_000,
    );
  });
});

describe('conversations', () => {
  it('rejects an unknown one as the CLI does', async () => {
    const unknown = randomUUID();
    const spec = startSpec(2, { continuation: { mode: 'resume', parentCliSessionId: unknown } });
    const run = await runAgent(spec, quick());
    const message = `No conversation found with session ID: ${unknown}`;
    expect(run).toMatchObject({
      code: 1,
      stderr: `${message}\n`,
      result: {
        subtype: 'error_during_execution',
        isError: true,
        errors: [message],
        cliSessionId: spec.cliSessionId,
        totalCostUsd: 0,
      },
    });
    expect(run.events.some((event) => event.kind === 'init')).toBe(false);
  });

  it('refuses an id that is in use', async () => {
    const spec = startSpec(1);
    await runAgent(spec, quick());
    expect(await runAgent(spec, quick())).toMatchObject({
      code: 1,
      events: [],
      stderr: `Error: Session ID ${spec.cliSessionId} is already in use.\n`,
    });
  });

  it('keeps prompt and answers in its file', async () => {
    const spec = startSpec(1, { prompt: 'Look at everything.' });
    await runAgent(spec, host);
    const text = await transcript(host, spec.cliSessionId);
    const roles = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(text).toContain('Look at everything.');
    expect(text).toContain('here: healthy');
  });
});

describe('limits', () => {
  it('ends at its turns and at its budget', async () => {
    const limits = startSpec(1).limits;
    expect(
      await runAgent(startSpec(1, { limits: { ...limits, maxTurns: 1 } }), quick()),
    ).toMatchObject({
      code: 1,
      result: {
        subtype: 'error_max_turns',
        terminalReason: 'max_turns',
        errors: ['Reached maximum number of turns (1)'],
        numTurns: 2,
      },
    });
    const poor = startSpec(1, { limits: { ...limits, maxBudgetUsd: 0.000_001 } });
    expect(await runAgent(poor, quick())).toMatchObject({
      code: 1,
      result: { subtype: 'error_max_budget_usd' },
    });
  });
});

describe('signals', () => {
  const slowHost = () => ({
    ...host,
    passThrough: { ...host.passThrough, TIERWATCH_DEMO_PACE_MS: '60000' },
  });

  it('SIGINT between tools ends it without a word, SIGTERM with 143', async () => {
    for (const [signal, code] of [
      ['SIGINT', 0],
      ['SIGTERM', 143],
    ] as const) {
      const run = await runAgent(
        startSpec(1),
        { ...slowHost(), mcpServer: null },
        (event, child) => {
          if (event.kind === 'init') child.kill(signal);
        },
      );
      expect(run).toMatchObject({ code, result: undefined });
    }
  });

  it('SIGINT during a tool ends the tool, prints what was spent, and leaves it resumable', async () => {
    const pidFile = path.join(host.dir, 'tool.pid');
    const script = `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 600\n`;
    await writeFile(path.join(host.dir, 'democtl'), script, { mode: 0o755 });
    const gone = { type: 'process', target: 'no-such-program' };
    await writeFile(
      path.join(host.dir, 'services.json'),
      JSON.stringify([{ name: 'gone', checks: [gone] }]),
    );
    const own = { ...host.passThrough, PATH: `${host.dir}:${process.env.PATH}` };
    const spec = startSpec(1, { allowedRules: ['Bash(democtl status:*)'] });
    const readPid = async () => Number(await readFile(pidFile, 'utf8'));
    const run = await runAgent(spec, { ...host, passThrough: own }, (event, child) => {
      if (event.kind !== 'tool_call' || event.tool !== 'Bash') return;
      void vi
        .waitFor(async () => expect(await readPid()).toBeGreaterThan(0), 10_000)
        .then(() => {
          child.kill('SIGINT');
        });
    });
    expect(run).toMatchObject({
      code: 0,
      result: { terminalReason: 'aborted_tools', isError: true },
    });
    expect(run.result?.totalCostUsd).toBeGreaterThan(0);
    const isAlive = checkSchema.parse({ type: 'process', target: pidFile });
    await vi.waitFor(
      async () => expect(await runCheck(isAlive, 'tool')).toMatchObject({ status: 'down' }),
      10_000,
    );

    const resume = startSpec(2, {
      continuation: { mode: 'resume', parentCliSessionId: spec.cliSessionId },
    });
    expect(await runAgent(resume, host)).toMatchObject({ code: 0, result: { subtype: 'success' } });
  });
});

describe('command line', () => {
  const run = (input: string, ...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const { file, args: script } = demoBinary(checkout);
      const env = { ...process.env, CLAUDE_CONFIG_DIR: host.configDir };
      const child = execFile(file, [...script, ...args], { env }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
      child.stdin?.end(input);
    });

  it.each([
    ['hi', ['-p', '--nonsense'], "error: Unknown option '--nonsense'"],
    ['hi', ['-p', '--model'], "error: Option '--model <value>' argument missing"],
    ['', ['-p'], 'Error: Input must be provided through stdin'],
    ['hi', ['-p', '--json-schema', '{'], 'Error: --json-schema is not valid JSON'],
    ['hi', ['-p', '--mcp-config', '{'], 'Error: Invalid MCP configuration'],
  ])('refuses %j with %j', async (input, args, message) => {
    const { code, stdout, stderr } = await run(input, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says its version and its flags', async () => {
    expect(await run('', '--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^demo-1 /),
    });
    expect((await run('', '--help')).stdout).toContain('--fork-session');
  });

  it('runs on without an MCP server that fails, and lists it', async () => {
    const config = JSON.stringify({ mcpServers: { tierwatch: { command: '/bin/false' } } });
    const { code, stdout } = await run('hi', '-p', '--mcp-config', config);
    expect(code).toBe(0);
    expect(stdout).toContain('"mcp_servers":[{"name":"tierwatch","status":"failed"}]');
  });
});
