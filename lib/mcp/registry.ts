import type { McpTool } from './tool';
import { decideApprovalTool, listApprovalsTool } from './tools/approvals';
import { askProjectTool, getAnswerTool } from './tools/ask';
import { getChainTool, listChainsTool, runChainTool, stopChainTool } from './tools/chains';
import { getSpendTool } from './tools/get-spend';
import { acknowledgeIncidentTool, getIncidentTool, listIncidentsTool } from './tools/incidents';
import { listAuditEntriesTool } from './tools/list-audit-entries';
import { listCommandsTool } from './tools/list-commands';
import { listRunnersTool } from './tools/list-runners';
import { getStatusTool, listProjectsTool } from './tools/projects';
import { searchLogsTool } from './tools/search-logs';
import { getSessionTool, readLogTool } from './tools/sessions';

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly McpTool[] = [
  getStatusTool,
  listProjectsTool,
  listIncidentsTool,
  getIncidentTool,
  listChainsTool,
  getChainTool,
  getSessionTool,
  readLogTool,
  searchLogsTool,
  listCommandsTool,
  listApprovalsTool,
  getSpendTool,
  listRunnersTool,
  listAuditEntriesTool,
  askProjectTool,
  getAnswerTool,
  runChainTool,
  stopChainTool,
  acknowledgeIncidentTool,
  decideApprovalTool,
];

/** Earlier names of tools, which clients may have in their permission rules. */
const ALIASES: Readonly<Record<string, string>> = {};

/** Returns the tool with a name, or with an earlier one. */
export function findTool(name: string): McpTool | undefined {
  const current = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return TOOLS.find((tool) => tool.name === current);
}
