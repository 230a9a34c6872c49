/** The MCP server: answers one HTTP request of a caller whose token was checked. */

import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { getOrganization } from '@/lib/identity/organizations/service';
import { scopeWithClient } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope, TokenClient } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { HttpError, problemResponse, problemSchema } from '@/lib/platform/http/problem';
import { readJsonText } from '@/lib/platform/http/read-body';
import { requestIdOf } from '@/lib/platform/http/request-headers';
import { logger } from '@/lib/platform/logger';
import { type McpMode, readGate, visibleTools, whyRefused } from './access';
import { linksOf } from './links';
import { findTool, TOOLS } from './registry';
import { plainLine, UNTRUSTED_NOTE } from './untrusted';

const MAX_BODY_BYTES = 256 * 1024;

/**
 * Returns the mode that a request asks for, before anyone looks at its token.
 *
 * @throws ForbiddenError for a page of another site
 * @throws HttpError 400 for a wrong address
 */
export function readMode(request: Request): McpMode {
  return readGate(request, new URL(env().publicUrl).host);
}

/**
 * Answers a message of either protocol era. Each request has a server of its own, so nothing is kept
 * between two of them.
 *
 * @throws HttpError for a body that is too large or isn't JSON, and for a batch
 */
export async function serveMcp(scope: TenantScope, request: Request): Promise<Response> {
  const mode = readMode(request);
  const parsedBody = parseMessage(await readJsonText(request, MAX_BODY_BYTES));
  const refusal = refuseSubscription(parsedBody);
  if (refusal) return refusal;
  // JSON unless a handler sends something before its result, and none does. Answers to clients of
  // earlier protocols are a stream of one event.
  const handler = createMcpHandler(() => buildServer(scope, mode, request), {
    onerror: (error) => logger.debug({ error: String(error) }, 'MCP message refused'),
  });
  const response = await handler.fetch(request, { parsedBody });
  response.headers.set('cache-control', 'no-store');
  return response;
}

function parseMessage(text: string): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not JSON. Send one JSON-RPC message.');
  }
  // Each message counts against the rate limit of its token.
  if (Array.isArray(message)) {
    throw new HttpError(400, 'Batches are not supported. Send one JSON-RPC message per request.');
  }
  return message;
}

/**
 * A stream of changes would stay open after its token was revoked, and nothing that it could report
 * ever changes while a token stays the same.
 */
function refuseSubscription(message: unknown): Response | null {
  const { data } = subscriptionSchema.safeParse(message);
  if (!data) return null;
  const error = { code: -32_601, message: 'Method not found: this server has no subscriptions.' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: data.id ?? null, error });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(body, { status: 404, headers });
}

const subscriptionSchema = z.object({
  method: z.literal('subscriptions/listen'),
  id: z.union([z.string(), z.number()]).optional(),
});

function buildServer(scope: TenantScope, mode: McpMode, request: Request): Server {
  const granted = scope.actor.kind === 'api_token' ? scope.actor.scopes : [];
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: { listChanged: false } },
    instructions: INSTRUCTIONS,
  });
  server.setRequestHandler('tools/list', () => ({
    tools: visibleTools(TOOLS, granted, mode).map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: { ...tool.inputSchema, type: 'object' as const },
      outputSchema: { ...tool.outputSchema, type: 'object' as const },
      annotations: { title: tool.title, ...tool.annotations },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = findTool(params.name);
    if (!tool) return failure(unknownTool(params.name));
    const refusal = whyRefused(tool, granted, mode);
    if (refusal !== null) return failure(refusal);
    const client = clientOf({
      envelope: mcpReq.envelope,
      meta: mcpReq._meta,
      userAgent: request.headers.get('user-agent'),
    });
    try {
      const call = await openCall(scope, client, request, mcpReq.signal);
      const structuredContent = await tool.run(call, params.arguments);
      const text = JSON.stringify(structuredContent);
      return { content: [{ type: 'text' as const, text }], structuredContent };
    } catch (error) {
      return failure(errorText(tool.name, await problemOf(error, request)));
    }
  });
  return server;
}

async function openCall(
  scope: TenantScope,
  client: TokenClient,
  request: Request,
  signal: AbortSignal,
) {
  const { slug } = await getOrganization(scope);
  const { publicUrl } = env();
  const hosts = [new URL(publicUrl).host, request.headers.get('host') ?? ''].filter(Boolean);
  return {
    scope: scopeWithClient(scope, client),
    place: { organizationSlug: slug, hosts },
    links: linksOf(publicUrl, slug),
    signal,
  };
}

/** Unknown errors are logged, and their message stays in the log. */
async function problemOf(error: unknown, request: Request): Promise<ToolProblem> {
  const response = problemResponse(error, requestIdOf(request.headers));
  return problemSchema.parse(await response.json()) as ToolProblem;
}

function failure(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true };
}

function unknownTool(name: string): string {
  return `There is no tool “${name.slice(0, 100)}”. List the tools again: which ones exist depends on the token.`;
}

const SERVER_INFO = { name: 'tierwatch', title: 'Tierwatch', version: '1.0.0' };

/** Shown to the model when a client connects. Clients may cut it after 2,000 characters. */
export const INSTRUCTIONS = `Tierwatch looks after a team's systems with agents in permission tiers: tier 1 observes, tier 2 repairs safely, tier 3 repairs fully. A chain is one monitoring cycle of a project, a session is one tier's part of it.

Start with get_status. For a problem: list_incidents and get_incident, list_chains and get_chain, then get_session, and read_log for what the agent saw and did. list_approvals shows what waits for a person.

Chains and sessions have numbers within their project ("Chain #5", project "shop") and ids (chn_…, ses_…). Slugs, numbers, ids and URLs of pages are accepted. Money is US dollars, times are ISO 8601 in UTC. Lists continue with next_cursor.

${UNTRUSTED_NOTE}

run_chain, stop_chain, ask_project and decide_approval act on real systems and cost money. Call them only when the person you work for has asked for that. Before decide_approval, show the person the exact command and its reason.`;

/** Errors as a model reads them: what happened, why, and what to do. */

/** Of a problem answer, as `lib/platform/http/problem.ts` makes it from any error. */
export interface ToolProblem {
  code: string;
  status: number;
  detail: string;
  /** Path of an argument to what is wrong with it. */
  fields?: Record<string, string> | undefined;
  retryAfterSeconds?: number | undefined;
  chainId?: string | undefined;
}

const ADVICE: Record<number, string> = {
  403: 'Use a token of a person who may do this, with the scopes that it needs.',
  404: 'Check the id, number or slug with list_projects, list_chains, get_chain or list_approvals. A token sees its own organization only.',
  409: 'Read the current state, then decide whether to try again.',
  412: 'Remove what holds it back, then try again.',
  422: 'Correct the arguments by the tool’s schema, then call it again.',
};

/**
 * Returns the text of a failed call.
 *
 * @param tool the tool's name
 */
export function errorText(tool: string, problem: ToolProblem): string {
  const { status, detail, fields = {}, retryAfterSeconds, chainId } = problem;
  const wrong = Object.entries(fields).filter(
    ([path, text]) => path !== '' && !detail.includes(text),
  );
  const advice =
    retryAfterSeconds === undefined
      ? ADVICE[status]
      : `Call it again in ${retryAfterSeconds} s, not earlier.`;
  return [
    `${tool} failed (${problem.code}).`,
    detail,
    ...wrong.map(([path, text]) => `${path}: ${text}`),
    chainId === undefined ? '' : `It is about ${chainId}; get_chain shows it.`,
    advice ?? '',
  ]
    .filter(Boolean)
    .join(' ');
}

// Which program calls, as it names itself. Audit entries record it; nothing is decided by it.

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
/** Of Claude Code: the tool call of its model. */
const TOOL_USE = 'claudecode/toolUseId';
const MAX_CHARS = 120;

/** The parts of a request that identify its sender. They are text from outside. */
interface ClientFacts {
  /** Reserved fields of the 2026 protocol; earlier ones send the client's name at the start alone. */
  envelope: unknown;
  meta: unknown;
  userAgent: string | null;
}

/** Returns the client's name and version, else its User-Agent, and the id of the tool call. */
export function clientOf({ envelope, meta, userAgent }: ClientFacts): TokenClient {
  const info = fieldOf(envelope, CLIENT_INFO);
  const names = [fieldOf(info, 'name'), fieldOf(info, 'version')].filter(isText);
  const toolUse = fieldOf(meta, TOOL_USE);
  return {
    name: plainLine(names.join(' ') || userAgent || '', MAX_CHARS) || 'unknown',
    toolUseId: isText(toolUse) ? plainLine(toolUse, MAX_CHARS) : null,
  };
}

function fieldOf(value: unknown, name: string): unknown {
  const isRecord = typeof value === 'object' && value !== null;
  return isRecord ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
