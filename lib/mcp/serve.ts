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
import { type McpMode, visibleTools, whyRefused } from './access';
import { clientOf } from './client';
import { errorText, type ToolProblem } from './error-text';
import { readGate } from './gate';
import { INSTRUCTIONS, SERVER_INFO } from './instructions';
import { linksOf } from './links';
import { findTool, TOOLS } from './registry';

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
