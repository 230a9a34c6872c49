/** Claude Code as a client of the MCP server, as a team's own agent would use it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type MessagesApi, startMessagesApi } from '../../support/messages-api/messages-api';
import type { RecordedRequest } from '../../support/messages-api/recorded-request';
import { callTool, say } from '../../support/messages-api/reply';

export interface ToolStep {
  /** As the server names it. */
  tool: string;
  args?: Record<string, unknown>;
}

export interface ClientRun {
  /** What the model read after each step. */
  results: string[];
  /** Requests to the model, for what it was told about the tools. */
  requests: RecordedRequest[];
  /** Of the server in the first line of the stream: `connected`, `failed`, `needs-auth`. */
  serverStatus: string | undefined;
  output: string;
}

export interface ClientOptions {
  binary: string;
  url: string;
  token: string | null;
  /** Arguments of a later step may need an earlier result. */
  steps: readonly (ToolStep | ((results: readonly string[]) => ToolStep))[];
}

/** Runs one prompt, in which the model makes these calls one after another. */
export async function runClaudeClient(options: ClientOptions): Promise<ClientRun> {
  const { binary, url, token, steps } = options;
  const root = await mkdtemp(path.join(tmpdir(), 'tierwatch-mcp-client-'));
  const results: string[] = [];
  let done = 0;
  const model: MessagesApi = await startMessagesApi({
    script: (request) => {
      if (done > 0) results[done - 1] = request.lastToolResults.join('\n');
      const step = steps[done];
      if (!step) return say('done');
      done += 1;
      const { tool, args = {} } = typeof step === 'function' ? step(results) : step;
      return callTool(`mcp__tierwatch__${tool}`, args);
    },
  });
  try {
    const config = path.join(root, 'mcp.json');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code puts the variable's value in.
    const headers = token === null ? {} : { Authorization: 'Bearer ${TIERWATCH_TOKEN}' };
    const server = { type: 'http', url: `${url}/api/mcp`, headers };
    await writeFile(config, JSON.stringify({ mcpServers: { tierwatch: server } }));
    const output = await run(binary, root, config, {
      PATH: process.env.PATH ?? '',
      HOME: root,
      CLAUDE_CONFIG_DIR: path.join(root, 'config'),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'key-of-the-client',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // The first request waits for the server, however slow the machine is.
      MCP_CONNECTION_NONBLOCKING: '0',
      MCP_CONNECT_TIMEOUT_MS: '60000',
      ...(token === null ? {} : { TIERWATCH_TOKEN: token }),
    });
    return { results, requests: model.requests, serverStatus: statusIn(output), output };
  } finally {
    await model.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function run(binary: string, cwd: string, config: string, env: Record<string, string>) {
  const args = [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--model', 'haiku'],
    ...['--mcp-config', config, '--strict-mcp-config', '--setting-sources', ''],
    ...['--allowedTools', 'mcp__tierwatch', '--permission-mode', 'dontAsk'],
  ];
  return new Promise<string>((resolve, reject) => {
    // Next types NODE_ENV as always set; the CLI gets what is listed and nothing else.
    const child = spawn(binary, args, { cwd, env: env as NodeJS.ProcessEnv });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
    child.stdin.end('Look at Tierwatch.');
  });
}

function statusIn(output: string): string | undefined {
  return /"mcp_servers":\[\{"name":"tierwatch","status":"([\w-]+)"/.exec(output)?.[1];
}
