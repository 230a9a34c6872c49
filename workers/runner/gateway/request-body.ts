/**
 * What a request to the model may ask for: an allowlist. Measured with Claude Code 2.1.197, 2.1.330 and
 * 2.1.332. What a newer version adds is removed where a request means the same without it, and the
 * session's log names it; everything else that isn't listed is refused.
 */

/** Longer ones are refused by the provider, too. */
export const MAX_BODY_BYTES = 32_000_000;

/** Features that the CLIs ask for. None changes what a token costs. */
const BETAS = new Set([
  'claude-code-20250219',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'fallback-credit-2026-06-01',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-system-2026-04-07',
  'per-turn-control-2026-07-01',
  'prompt-caching-scope-2026-01-05',
  'thinking-display-updates-2026-08-18',
  'thinking-token-count-2026-05-13',
]);

/** Without `service_tier`, `speed` and `inference_geo`, which change the price. */
const FIELDS = new Set([
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'metadata', 'stream'],
  ...['max_tokens', 'thinking', 'output_config', 'context_management'],
  ...['temperature', 'top_p', 'top_k', 'stop_sequences'],
]);

/** Tools that the provider describes and the agent runs. */
const CLIENT_TOOL = /^(?:custom|(?:bash|text_editor|memory)_\d{8})$/;

/** Tools that run at the provider, and the agent's tool that needs them. */
const SERVER_TOOLS: readonly (readonly [type: RegExp, tool: string])[] = [
  [/^web_search_\d{8}$/, 'WebSearch'],
  [/^web_fetch_\d{8}$/, 'WebFetch'],
];

/** Sources that a request holds itself. */
const SOURCES = new Set(['base64', 'text', 'content']);

const MAX_DEPTH = 40;

/** What the price of a request depends on, besides its length. */
export interface AllowedRequest {
  body: Readonly<Record<string, unknown>>;
  model: string;
  /** Null if it names none that can be. */
  maxTokens: number | null;
  isStreamed: boolean;
  /** It has a tool that runs at the provider, whose results are input that the request doesn't hold. */
  hasServerTool: boolean;
  images: number;
  documents: number;
  /** Characters of images and documents. */
  encodedChars: number;
}

export type CheckedRequest =
  | { isAllowed: true; request: AllowedRequest; removed: string[] }
  | { isAllowed: false; why: string };

/** @param tier what the tier allows: its model, and its tools as the agent names them */
export function checkRequest(
  body: unknown,
  tier: { model: string; tools: readonly string[] },
): CheckedRequest {
  const refused = (why: string): CheckedRequest => ({ isAllowed: false, why });
  if (!isRecord(body)) return refused('a request is a JSON object.');
  const { model, tools } = body;
  if (typeof model !== 'string' || !isModelAllowed(tier.model, model)) {
    return refused(`this agent uses ${tier.model}, and its requests may not name ${shown(model)}.`);
  }
  if (body.mcp_servers !== undefined || body.container !== undefined) {
    return refused('a request names no servers for the provider to connect to.');
  }
  if (tools !== undefined && !Array.isArray(tools)) return refused('tools are a list.');
  const offered: unknown[] = tools ?? [];
  const foreign = offered.find((tool) => !isToolAllowed(tool, tier.tools));
  if (foreign !== undefined) {
    const type = isRecord(foreign) ? foreign.type : foreign;
    return refused(`this agent has no tool of type ${shown(type)}, which runs at the provider.`);
  }
  const edit = editsOf(body).find((each) => !/^clear_/.test(String(isRecord(each) && each.type)));
  if (edit !== undefined) {
    return refused(
      `the provider may not edit the context by ${shown(isRecord(edit) && edit.type)}.`,
    );
  }
  const found = { images: 0, documents: 0, encodedChars: 0, hasTtl: false };
  const foreignSource = findForeignSource([body.messages, body.system], found, 0);
  if (foreignSource !== null) {
    return refused(
      `a request holds its documents and images itself, instead of their addresses or files: ${foreignSource}.`,
    );
  }
  for (const tool of offered) dropTtl(tool, found);
  const unlisted = Object.keys(body).filter((field) => !FIELDS.has(field));
  const { hasTtl, ...parts } = found;
  return {
    isAllowed: true,
    removed: [...unlisted.map(shown), ...(hasTtl ? ['cache_control.ttl'] : [])],
    request: {
      ...parts,
      model,
      body: Object.fromEntries(Object.entries(body).filter(([field]) => FIELDS.has(field))),
      maxTokens: isTokenCount(body.max_tokens) ? body.max_tokens : null,
      isStreamed: body.stream === true,
      hasServerTool: offered.some((tool) => isRecord(tool) && serverToolOf(tool) !== null),
    },
  };
}

/** Returns the features of an `anthropic-beta` header that are listed, and those that aren't. */
export function checkBetas(header: string | readonly string[] | undefined): {
  kept: string[];
  removed: string[];
} {
  const named = [header ?? []].flat().flatMap((value) => value.split(','));
  const betas = named.map((beta) => beta.trim()).filter((beta) => beta !== '');
  return {
    kept: betas.filter((beta) => BETAS.has(beta)),
    removed: betas.filter((beta) => !BETAS.has(beta)).map(shown),
  };
}

function isToolAllowed(tool: unknown, ofTier: readonly string[]): boolean {
  if (!isRecord(tool)) return false;
  if (tool.type === undefined || CLIENT_TOOL.test(String(tool.type))) return true;
  const needed = serverToolOf(tool);
  return needed !== null && ofTier.includes(needed);
}

function serverToolOf({ type }: Record<string, unknown>): string | null {
  return SERVER_TOOLS.find(([known]) => typeof type === 'string' && known.test(type))?.[1] ?? null;
}

function editsOf({ context_management }: Record<string, unknown>): unknown[] {
  const edits = isRecord(context_management) ? context_management.edits : undefined;
  return edits === undefined ? [] : [edits].flat();
}

interface Found {
  images: number;
  documents: number;
  encodedChars: number;
  hasTtl: boolean;
}

/**
 * Returns the first source that a request doesn't hold itself; null if there is none. Counts images and
 * documents. Too deep to look at counts as a foreign source.
 */
function findForeignSource(value: unknown, found: Found, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return 'it is too deep to look at';
  // Arguments of a tool are the agent's own data.
  if (isRecord(value) && value.type === 'tool_use') return dropTtl(value, found);
  if (isRecord(value)) {
    dropTtl(value, found);
    if ('file_id' in value) return 'file_id';
    const { source } = value;
    if (isRecord(source)) {
      if (!SOURCES.has(String(source.type))) return shown(source.type);
      if (source.type === 'base64') count(value, source, found);
    }
  }
  for (const part of Object.values(value)) {
    const foreign = findForeignSource(part, found, depth + 1);
    if (foreign !== null) return foreign;
  }
  return null;
}

function count(block: Record<string, unknown>, source: Record<string, unknown>, found: Found) {
  if (block.type === 'image') found.images += 1;
  else found.documents += 1;
  found.encodedChars += typeof source.data === 'string' ? source.data.length : 0;
}

/** What is cached for an hour costs more than the meter's prices say; five minutes are the default. */
function dropTtl(block: unknown, found: Found): null {
  if (!isRecord(block) || !isRecord(block.cache_control)) return null;
  const { ttl } = block.cache_control;
  if (ttl === undefined || ttl === '5m') return null;
  delete block.cache_control.ttl;
  found.hasTtl = true;
  return null;
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

const MAX_SHOWN = 60;

/** What the agent chose, short enough for a log, and on one line. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value) ?? 'none');
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_SHOWN) || 'none';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Which models the requests of an attempt may name. */

/** Families of Claude models, with the aliases that tiers may use for them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  default: ['opus', 'sonnet'],
  best: ['opus', 'fable'],
  opusplan: ['opus', 'sonnet'],
  // The model that the provider falls back to.
  fable: ['fable', 'opus'],
};

/** What the CLI uses for small tasks of any tier. */
const SMALL = 'haiku';

const FAMILY = /^claude-(?:[\d-]+-)?([a-z]+)(?=-|$)/;

/**
 * Returns whether a request may name this model: the tier's own, any of the same family, since the CLI
 * resolves aliases and retired models by itself, or a small one.
 *
 * @param ofTier the model of the start, an alias or a name
 */
export function isModelAllowed(ofTier: string, requested: string): boolean {
  const own = withoutWindow(ofTier);
  if (withoutWindow(requested) === own) return true;
  const family = FAMILY.exec(requested)?.[1];
  if (family === undefined) return false;
  const ownFamily = FAMILY.exec(own)?.[1] ?? own;
  return family === SMALL || (ALIASES[ownFamily] ?? [ownFamily]).includes(family);
}

/** `sonnet[1m]` is `sonnet` with a long context. */
function withoutWindow(model: string): string {
  return model.replace(/\[\w+\]$/, '');
}
