/** Which tools a caller sees and may call. */
import { hasTokenScope, TOKEN_SCOPES, type TokenScope } from '@/lib/identity/token-scopes';
import type { McpTool } from './tool';

/** `read`: tools that change nothing, whatever the token allows. */
export const MCP_MODES = ['read', 'full'] as const;
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
