import type { McpTool } from './tool';
import { decideApprovalTool, listApprovalsTool } from './tools/approvals';
import { askProjectTool, getAnswerTool } from './tools/ask';
import { listAuditEntriesTool } from './tools/audit';
import { getChainTool, listChainsTool, runChainTool, stopChainTool } from './tools/chains';
import { listCommandsTool } from './tools/commands';
import { acknowledgeIncidentTool, getIncidentTool, listIncidentsTool } from './tools/incidents';
import { searchLogsTool } from './tools/logs';
import { getStatusTool, listProjectsTool } from './tools/projects';
import { listRunnersTool } from './tools/runners';
import { getSessionTool, readLogTool } from './tools/sessions';
import { getSpendTool } from './tools/spend';

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
