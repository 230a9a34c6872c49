import type { McpTool } from './tool';
import { acknowledgeIncidentTool } from './tools/acknowledge-incident';
import { askProjectTool } from './tools/ask-project';
import { decideApprovalTool } from './tools/decide-approval';
import { getAnswerTool } from './tools/get-answer';
import { getChainTool } from './tools/get-chain';
import { getIncidentTool } from './tools/get-incident';
import { getSessionTool } from './tools/get-session';
import { getSpendTool } from './tools/get-spend';
import { getStatusTool } from './tools/get-status';
import { listApprovalsTool } from './tools/list-approvals';
import { listAuditEntriesTool } from './tools/list-audit-entries';
import { listChainsTool } from './tools/list-chains';
import { listCommandsTool } from './tools/list-commands';
import { listIncidentsTool } from './tools/list-incidents';
import { listProjectsTool } from './tools/list-projects';
import { listRunnersTool } from './tools/list-runners';
import { readLogTool } from './tools/read-log';
import { runChainTool } from './tools/run-chain';
import { searchLogsTool } from './tools/search-logs';
import { stopChainTool } from './tools/stop-chain';

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
