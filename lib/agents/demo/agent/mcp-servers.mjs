// @ts-check
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, status: 'connected' | 'failed', tools: string[],
 *   call: (tool: string, input: Record<string, unknown>) => Promise<{ content: unknown, isError: boolean }>,
 *   close: () => Promise<void> }} McpServer
 */

/**
 * Starts the stdio servers of the `--mcp-config` file. One that fails is listed as failed, as the CLI
 * does it, and the run continues without it.
 * @param {string | null} config a file, or JSON
 * @returns {Promise<McpServer[]>}
 */
export async function connectServers(config) {
  const servers = config === null ? [] : Object.entries(readConfig(config).mcpServers ?? {});
  if (servers.length === 0) return [];
  // Loaded only here: the SDK takes longer to load than the rest of this program takes to start.
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ]);
  return Promise.all(
    servers.map(async ([name, server]) => {
      const client = new Client({ name: 'tierwatch-demo-agent', version: '1' });
      try {
        const env = { ...inherited(), ...server.env };
        const transport = new StdioClientTransport({ ...server, env, stderr: 'ignore' });
        await client.connect(transport);
        const { tools } = await client.listTools();
        return {
          name,
          status: /** @type {const} */ ('connected'),
          tools: tools.map((tool) => tool.name),
          call: async (tool, input) => {
            const answer = await client.callTool({ name: tool, arguments: input });
            return { content: answer.content, isError: answer.isError === true };
          },
          close: () => client.close(),
        };
      } catch {
        return failedServer(name);
      }
    }),
  );
}

/** @param {string} config @returns {{ mcpServers?: Record<string, { command: string, args?: string[], env?: Record<string, string> }> }} */
function readConfig(config) {
  return JSON.parse(config.trimStart().startsWith('{') ? config : readFileSync(config, 'utf8'));
}

/** @returns {Record<string, string>} */
function inherited() {
  /** @type {Record<string, string>} */
  const env = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined) env[name] = value;
  return env;
}

/** @param {string} name @returns {McpServer} */
function failedServer(name) {
  const gone = () => Promise.reject(new Error(`MCP server ${name} is not connected.`));
  return { name, status: 'failed', tools: [], call: gone, close: () => Promise.resolve() };
}
