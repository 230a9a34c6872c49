/** Which tools a start offers, and so which ones `system/init` may list. */
import type { InitEvent } from '@/lib/protocol/events';
import type { OfferedBy, ToolNames } from '../agent';

export const MCP_SERVER_NAME = 'tierwatch';
/** Runs a service's checks on the runner; every tier may call it. */
export const CHECK_TOOL = `mcp__${MCP_SERVER_NAME}__check`;

/** Asks a person, with choices. */
export const QUESTION_TOOL = 'AskUserQuestion';

/** The CLI offers it where a report is asked for. */
const REPORT_TOOL = 'StructuredOutput';

export const CLAUDE_TOOL_NAMES: ToolNames = {
  report: REPORT_TOOL,
  check: CHECK_TOOL,
  ask: QUESTION_TOOL,
  notes: {
    digest: `mcp__${MCP_SERVER_NAME}__session_digest`,
    remember: `mcp__${MCP_SERVER_NAME}__remember`,
    recall: `mcp__${MCP_SERVER_NAME}__recall_checkpoints`,
  },
};

/** Offered where checkpoints are kept. */
const NOTE_TOOLS = Object.values(CLAUDE_TOOL_NAMES.notes);

/** Tools of the runner's own MCP server; every tier may call them. */
export function mcpTools({ checkpoints }: Pick<OfferedBy, 'checkpoints'>): string[] {
  return checkpoints === null ? [CHECK_TOOL] : [CHECK_TOOL, ...NOTE_TOOLS];
}

/** Names of built-in tools for `--tools`. The handoff file is made by Write and nothing else is. */
export function builtInTools(spec: Omit<OfferedBy, 'checkpoints'>): string[] {
  const written = spec.writesHandoffFile ? ['Write'] : [];
  const asked = spec.questionWaitSeconds === null ? [] : [QUESTION_TOOL];
  return [...new Set([...spec.tools, ...written, ...asked])];
}

/**
 * Tools and MCP servers the CLI reports at its start although the spec does not offer them.
 * Anything in here means that the attempt has to be stopped. Sorted, empty when all is well.
 */
export function surplusTools(
  spec: OfferedBy,
  init: Pick<InitEvent, 'tools' | 'mcpServers'>,
): string[] {
  const offered = new Set([...builtInTools(spec), ...mcpTools(spec), REPORT_TOOL]);
  // The CLI calls its sub-agent tool Agent in requests and Task in init.
  if (offered.has('Agent')) offered.add('Task');
  const tools = init.tools.filter((tool) => !offered.has(tool));
  const servers = init.mcpServers
    .map((server) => server.name)
    .filter((name) => name !== MCP_SERVER_NAME)
    .map((name) => `mcp__${name}`);
  return [...new Set([...tools, ...servers])].sort();
}
