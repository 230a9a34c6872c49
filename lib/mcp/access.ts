/** Which tools a caller sees and may call. */
import { hasTokenScope, TOKEN_SCOPES, type TokenScope } from '@/lib/identity/token-scopes';
import { ForbiddenError } from '@/lib/platform/errors';
import { HttpError } from '@/lib/platform/http/problem';
import { isForeignOrigin } from '@/lib/platform/http/request-headers';
import type { McpTool } from './tool';

/** `read`: tools that change nothing, whatever the token allows. */
const MCP_MODES = ['read', 'full'] as const;
export type McpMode = (typeof MCP_MODES)[number];

type Needs = Pick<McpTool, 'name' | 'scopes' | 'annotations'>;

/**
 * Returns why a caller may not use a tool, and what to do about it; null if they may.
 *
 * @param granted scopes of the token
 */
export function whyRefused(
  { name, scopes, annotations }: Needs,
  granted: readonly string[],
  mode: McpMode,
): string | null {
  const missing = scopes.filter((scope) => !hasTokenScope(granted, scope));
  if (missing.length > 0) {
    return `${name} can’t be used: the token lacks the scope ${missing.join(' and ')}. Create a token that has it under Organization settings, API tokens.`;
  }
  if (mode === 'read' && !annotations.readOnlyHint) {
    return `${name} can’t be used: the connection is read-only. Connect without ?mode=read and without the header Tierwatch-Mode to change something.`;
  }
  return null;
}

/** Returns the tools that a caller may use, in the given order. */
export function visibleTools<Tool extends Needs>(
  tools: readonly Tool[],
  granted: readonly string[],
  mode: McpMode,
): Tool[] {
  return tools.filter((tool) => whyRefused(tool, granted, mode) === null);
}

/** Returns every scope with which at least one tool can be used. */
export function usefulScopes(tools: readonly Pick<McpTool, 'scopes'>[]): TokenScope[] {
  return TOKEN_SCOPES.filter((granted) =>
    tools.some(({ scopes }) => scopes.every((needed) => hasTokenScope([granted], needed))),
  );
}

// What is refused before anyone looks at the message: foreign origins, addresses with more than a mode.

const MODE_HEADER = 'tierwatch-mode';

/** Names under which a host reaches itself; no other page can have them as its origin. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Returns the mode of a request.
 *
 * @param publicHost host of the installation's public URL, with its port
 * @throws ForbiddenError for a request of another site's page, also one whose name was pointed at
 *   this server
 * @throws HttpError 400 for an unknown mode or a query with anything else
 */
export function readGate({ url, headers }: Request, publicHost: string): McpMode {
  const host = headers.get('host');
  // A name other than the public one may be of an attacker's zone, which resolves to this server.
  const ownHosts = [publicHost, host !== null && LOOPBACK.test(host) ? host : null];
  const facts = { secFetchSite: headers.get('sec-fetch-site'), origin: headers.get('origin') };
  if (isForeignOrigin(facts, ownHosts)) {
    throw new ForbiddenError(
      'The request came from a page of another site. Connect from a program, which sends no Origin, or from the installation’s own address.',
    );
  }
  const { searchParams } = new URL(url);
  const others = [...searchParams.keys()].filter((name) => name !== 'mode');
  if (others.length > 0) {
    throw new HttpError(
      400,
      'The address takes ?mode=read and nothing else. Send the token in the header Authorization: Bearer …; if it was in the address, revoke it, since addresses are logged.',
    );
  }
  return modeOf([...searchParams.getAll('mode'), headers.get(MODE_HEADER) ?? 'full']);
}

/** One `read` suffices: a header can't lift what the address says, nor the other way around. */
function modeOf(given: readonly string[]): McpMode {
  const unknown = given.find((mode) => !(MCP_MODES as readonly string[]).includes(mode));
  if (unknown !== undefined) {
    throw new HttpError(
      400,
      `The mode “${unknown.slice(0, 40)}” doesn’t exist. Use ${MCP_MODES.join(' or ')}, or leave it out.`,
    );
  }
  return given.includes('read') ? 'read' : 'full';
}
