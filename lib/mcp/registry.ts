import type { McpTool } from './tool';
import { getChainTool } from './tools/get-chain';
import { listChainsTool } from './tools/list-chains';
import { listProjectsTool } from './tools/list-projects';
import { runChainTool } from './tools/run-chain';

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly McpTool[] = [
  listProjectsTool,
  listChainsTool,
  getChainTool,
  runChainTool,
];

/** Earlier names of tools, which clients may have in their permission rules. */
const ALIASES: Readonly<Record<string, string>> = {};

/** Returns the tool with a name or an earlier name of it. */
export function findTool(name: string): McpTool | undefined {
  const current = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return TOOLS.find((tool) => tool.name === current);
}
