/**
 * What a request to the model may ask for. Some parts of a request make the provider itself connect
 * to an address that the request names; from a sandbox without a network, that would be one.
 */

/** Longer ones are refused by the provider, too. */
export const MAX_BODY_BYTES = 32_000_000;

/** Tools that run at the provider, by the beginning of their type, and the agent's tool that needs them. */
const SERVER_TOOLS: readonly (readonly [prefix: string, tool: string | null])[] = [
  ['web_search', 'WebSearch'],
  ['web_fetch', 'WebFetch'],
  ['code_execution', null],
  ['mcp', null],
];

const MAX_DEPTH = 40;

/**
 * Returns why a request isn't forwarded; null if it is.
 *
 * @param body the parsed request
 * @param tools of the agent, as its tier allows them
 */
export function refusedPart(body: unknown, tools: readonly string[]): string | null {
  if (!isRecord(body)) return 'a request is a JSON object.';
  if (body.mcp_servers !== undefined || body.container !== undefined) {
    return 'a request names no servers for the provider to connect to.';
  }
  const offered = Array.isArray(body.tools) ? body.tools : [];
  for (const tool of offered) {
    const type = isRecord(tool) ? tool.type : null;
    if (typeof type !== 'string') continue;
    const known = SERVER_TOOLS.find(([prefix]) => type.startsWith(prefix));
    if (known && (known[1] === null || !tools.includes(known[1]))) {
      return `this tier has no tool that runs at the provider, such as ${type}.`;
    }
  }
  return namesAddress([body.messages, body.system], 0)
    ? 'a request holds its documents and images itself, instead of their addresses.'
    : null;
}

/** Whether a source is an address. Too deep to look at counts as one. */
function namesAddress(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  if (isRecord(value) && value.type === 'tool_use') return false;
  if (isRecord(value) && isRecord(value.source) && value.source.type === 'url') return true;
  return Object.values(value).some((part) => namesAddress(part, depth + 1));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
