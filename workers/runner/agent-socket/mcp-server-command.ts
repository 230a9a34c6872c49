import path from 'node:path';
import { SOCKET_VARIABLE } from './messages';

/** JSON file with a ServiceSpec[]: what may be checked. */
export const SERVICES_VARIABLE = 'TIERWATCH_CHECK_SERVICES';
/** `on`: the tools that keep and recall notes are offered. */
export const NOTES_VARIABLE = 'TIERWATCH_NOTES';

interface McpServerPaths {
  /** The repository's root folder. */
  root: string;
  servicesFile: string;
  /** Where the runner runs checks and keeps notes. */
  socketPath: string;
  /** Whether the tools for notes are offered. */
  keepsNotes: boolean;
}

/** Returns one stdio server of an MCP configuration, for `HostLayout.mcpServer`. */
export function mcpServerCommand(paths: McpServerPaths) {
  const { root, servicesFile, socketPath, keepsNotes } = paths;
  return {
    type: 'stdio',
    command: process.execPath,
    args: [path.join(root, 'dist', 'mcp-server.mjs')],
    env: {
      [SERVICES_VARIABLE]: servicesFile,
      [SOCKET_VARIABLE]: socketPath,
      ...(keepsNotes ? { [NOTES_VARIABLE]: 'on' } : {}),
    },
  };
}
