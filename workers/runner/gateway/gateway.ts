/**
 * The model gateway of one attempt, the only network that its sandbox has. It forwards the requests of the
 * agent to its model, adds the key that the sandbox doesn't have, and forwards nothing else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { ModelProvider } from '@/lib/agents/agent';
import type { PriceTable } from '@/lib/agents/prices';
import { logger } from '@/lib/platform/logger';
import { createAdmission } from './admission';
import * as http from './http';
import { createMessageRequest, type MessageRequest } from './message-request';
import { type AllowedRequest, checkBetas, checkRequest } from './request-body';
import { priceable, withMaxTokens } from './reservation';
import type { MeteredRequest } from './usage-meter';

export interface Gateway {
  /** Answers on a port of the sandbox. */
  serve(server: Server): void;
  /** Whether the agent waits for no answer. */
  isIdle(): boolean;
  /** Ends requests that are on their way, and tells what they have cost. */
  close(): void;
}

export interface GatewayOptions {
  provider: Extract<ModelProvider, { kind: 'forwarded' }>;
  /** How the provider is reached, also through a proxy. */
  dispatcher: Dispatcher;
  prices: PriceTable;
  /** What the tier allows: its model, and its tools, since some need the provider's own. */
  tier: { model: string; tools: readonly string[] };
  /** US dollars for all requests together; null: no limit. */
  budgetUsd: number | null;
  /** How long a request waits for others to end. */
  waitMs?: number;
  /** How long an answer is read whose client has gone. */
  drainMs?: number;
  /** What a request has cost, once it is over. */
  onMetered(request: MeteredRequest & { durationMs: number }): void;
  /** The budget is used up: nothing more is forwarded. Called once. */
  onBudgetUsed(): void;
  /** A request was refused, or forwarded without a part of it; a whole sentence, each reported once. */
  onRefused(message: string): void;
}

/** An agent has one conversation, and a few more with sub-agents. */
const MAX_AT_ONCE = 6;
/** On their way or waiting. */
const MAX_REQUESTS = 32;
const MAX_CONNECTIONS = 64;
const IDLE_MS = 600_000;
const WAIT_MS = 180_000;
const DRAIN_MS = 300_000;
/** For the provider to count tokens. */
const COUNT_MS = 10_000;
/** Different refusals that are reported. */
const MAX_REFUSALS = 20;

/** An answer that ends exactly at the budget isn't cut off. */
const ROUNDING_USD = 1e-9;

const BUDGET_USED = 'what is left of this attempt’s budget doesn’t pay for it.';

/** A request as it is forwarded. */
interface Forwarded {
  path: string;
  headers: http.Headers;
  request: AllowedRequest;
  bodyBytes: number;
  /** The agent has closed its connection, or the gateway has. */
  gone: AbortSignal;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { provider, dispatcher, budgetUsd, prices } = options;
  const { waitMs = WAIT_MS, drainMs = DRAIN_MS } = options;
  const base = new URL(provider.url);
  const ending = new AbortController();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const running = new Set<MessageRequest>();
  const buffered = { bytes: 0 };
  const refusals = new Set<string>();
  const admission = createAdmission({ prices, budgetUsd, maxAtOnce: MAX_AT_ONCE, waitMs });
  let open = 0;
  let isUsedUp = false;

  function endBudget(): void {
    if (isUsedUp) return;
    isUsedUp = true;
    options.onBudgetUsed();
  }

  /** Whether the budget is exceeded, now that something more was spent. */
  function isBudgetUsed(): boolean {
    if (budgetUsd !== null && admission.spentUsd() > budgetUsd + ROUNDING_USD) endBudget();
    return isUsedUp;
  }

  function report(message: string): void {
    if (refusals.has(message) || refusals.size > MAX_REFUSALS) return;
    refusals.add(message);
    const isLast = refusals.size > MAX_REFUSALS;
    options.onRefused(
      isLast ? 'More requests to the model were refused. They aren’t listed.' : message,
    );
  }

  function refuse(response: ServerResponse, why: string, as?: http.ErrorKind): void {
    report(`A request to the model was refused: ${why}`);
    http.sendError(response, why, as);
  }

  function ask(path: string, headers: http.Headers, body: unknown, signal: AbortSignal) {
    return dispatcher.request({
      origin: base.origin,
      path: `${base.pathname.replace(/\/+$/, '')}${path}`,
      method: 'POST',
      headers: { ...headers, ...provider.headers },
      body: JSON.stringify(body),
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Returns the length of the input as the provider counts it, without charge; null if it doesn't. */
  async function countTokens({ path, headers, request }: Forwarded): Promise<number | null> {
    const { model, messages, system, tools, tool_choice, thinking } = request.body;
    const counted = { model, messages, system, tools, tool_choice, thinking };
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(COUNT_MS)]);
    try {
      const target = path.replace(http.MESSAGES, http.COUNT_TOKENS);
      const { statusCode, body } = await ask(target, headers, counted, signal);
      const said = (await body.json()) as { input_tokens?: unknown } | null;
      const tokens = statusCode === 200 ? said?.input_tokens : null;
      return typeof tokens === 'number' && tokens > 0 ? tokens : null;
    } catch {
      return null;
    }
  }

  async function forwardMessage(forwarded: Forwarded, response: ServerResponse): Promise<void> {
    const { path, headers, request, bodyBytes, gone } = forwarded;
    const priced = priceable(request, bodyBytes);
    const result = await admission.admit(priced, () => countTokens(forwarded), gone);
    if (result.kind === 'gone') return;
    if (result.kind === 'busy') {
      refuse(response, 'other requests of this agent took too long.', http.BUSY);
      return;
    }
    if (result.kind === 'unaffordable' || isUsedUp) {
      if (result.kind === 'admitted') result.admitted.release();
      refuse(response, BUDGET_USED, http.UNPAID);
      endBudget();
      return;
    }
    const { admitted } = result;
    const message = createMessageRequest({
      ...{ request, bodyBytes, admitted, prices, response, gone, drainMs, isBudgetUsed },
      onEnded(metered) {
        running.delete(message);
        if (metered !== null) options.onMetered(metered);
        isBudgetUsed();
      },
    });
    running.add(message);
    const body = withMaxTokens(request, budgetUsd === null ? null : admitted.maxTokens);
    await message.forward((signal) => ask(path, headers, body, signal));
  }

  async function forwardCount(forwarded: Forwarded, response: ServerResponse): Promise<void> {
    const { path, headers, request, gone } = forwarded;
    const answer = await ask(path, headers, request.body, gone);
    response.writeHead(answer.statusCode, http.answeredHeaders(answer.headers));
    for await (const chunk of answer.body) response.write(chunk);
    response.end();
  }

  async function forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    gone: AbortSignal,
  ): Promise<void> {
    const path = http.targetOf(incoming);
    if (path === null && http.isConnectivityTest(incoming)) {
      response.writeHead(200).end();
      return;
    }
    if (path === null) {
      refuse(response, 'only requests to the model leave the sandbox.');
      return;
    }
    if (isUsedUp) {
      refuse(response, BUDGET_USED, http.UNPAID);
      return;
    }
    if (open > MAX_REQUESTS) {
      refuse(response, `${MAX_REQUESTS} requests of this agent are on their way.`, http.BUSY);
      return;
    }
    const read = await http.readBody(incoming, buffered);
    if (read === null) {
      refuse(response, 'it is too long, or no JSON.');
      return;
    }
    const checked = checkRequest(read.body, options.tier);
    if (!checked.isAllowed) {
      refuse(response, checked.why);
      return;
    }
    const betas = checkBetas(incoming.headers['anthropic-beta']);
    for (const part of [...checked.removed, ...betas.removed]) {
      report(
        `Requests to the model are forwarded without ${part}, which isn’t on the gateway’s list.`,
      );
    }
    const headers = http.passedHeaders(incoming, betas.kept);
    const { request } = checked;
    const forwarded = { path, headers, request, bodyBytes: read.bytes, gone };
    if (path.startsWith(http.COUNT_TOKENS)) await forwardCount(forwarded, response);
    else await forwardMessage(forwarded, response);
  }

  function take(incoming: IncomingMessage, response: ServerResponse): void {
    const gone = new AbortController();
    open += 1;
    response.on('error', () => {});
    response.once('close', () => {
      open -= 1;
      gone.abort();
    });
    forward(incoming, response, AbortSignal.any([gone.signal, ending.signal])).catch((error) => {
      if (!gone.signal.aborted && !ending.signal.aborted) {
        logger.warn({ error: String(error) }, 'model request not forwarded');
      }
      // A closed connection is what the agent would see without a gateway.
      incoming.destroy();
      response.destroy();
    });
  }

  const front = createServer(take);
  front.on('clientError', (_error, socket) => socket.destroy());

  return {
    serve(server) {
      servers.push(server);
      server.maxConnections = MAX_CONNECTIONS;
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        // A server that doesn't listen itself has no timeouts. A model may take minutes to answer.
        socket.setTimeout(IDLE_MS, () => socket.destroy());
        front.emit('connection', socket);
      });
      server.on('error', (error) => logger.warn({ error: String(error) }, 'model port failed'));
    },
    isIdle: () => open === 0,
    close() {
      ending.abort();
      for (const message of [...running]) message.stop();
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
