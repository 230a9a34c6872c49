/** The reference client of the protocol's SDK, over real HTTP, in both eras. */
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';

export const ERAS = ['modern', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

export interface ConnectOptions {
  url: string;
  token?: string;
  /** `?mode=read` and the like. */
  query?: string;
  headers?: Record<string, string>;
}

export interface McpSession {
  client: Client;
  /** Names of the tools, in order. */
  toolNames(): Promise<string[]>;
  /** The structured result of a call that has to work. */
  ok(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The text of a call that has to fail. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
  call(
    name: string,
    args?: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ): Promise<CallToolResult>;
  close(): Promise<void>;
}

export async function connect(era: Era, options: ConnectOptions): Promise<McpSession> {
  const { url, token, query = '', headers = {} } = options;
  const client = new Client(
    { name: 'reference-client', version: '9.9' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp${query}`), {
    requestInit: { headers: { ...authorization, ...headers } },
  });
  await client.connect(transport);
  const call: McpSession['call'] = async (name, args = {}, meta) =>
    (await client.callTool({
      name,
      arguments: args,
      ...(meta ? { _meta: meta } : {}),
    })) as CallToolResult;
  return {
    client,
    call,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async ok(name, args) {
      const result = await call(name, args);
      expect(result.isError, textOf(result)).not.toBe(true);
      return result.structuredContent as Record<string, unknown>;
    },
    async refused(name, args) {
      const result = await call(name, args);
      expect(result.isError, textOf(result)).toBe(true);
      return textOf(result);
    },
    close: () => client.close(),
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
