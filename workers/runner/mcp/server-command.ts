import path from 'node:path';

/** JSON file with a ServiceSpec[]: what may be checked. */
export const SERVICES_VARIABLE = 'TIERWATCH_CHECK_SERVICES';
/** File that gets one JSON line (a CheckOutcome) per check that ran. */
export const REPORT_VARIABLE = 'TIERWATCH_CHECK_REPORT';
/** `on`: the tools that keep and recall notes are offered. */
export const NOTES_VARIABLE = 'TIERWATCH_NOTES';

interface McpServerPaths {
  /** The repository's root folder. */
  root: string;
  servicesFile: string;
  reportFile: string;
  /** What the note tools need in addition; null: they are not offered. */
  notes?: Readonly<Record<string, string>> | null;
}

/** Returns one stdio server of an MCP configuration, for `HostLayout.mcpServer`. */
export function mcpServerCommand(paths: McpServerPaths) {
  const { root, servicesFile, reportFile, notes = null } = paths;
  return {
    type: 'stdio',
    command: process.execPath,
    args: [path.join(root, 'dist', 'mcp-server.mjs')],
    env: {
      [SERVICES_VARIABLE]: servicesFile,
      [REPORT_VARIABLE]: reportFile,
      ...(notes === null ? {} : { [NOTES_VARIABLE]: 'on', ...notes }),
    },
  };
}
