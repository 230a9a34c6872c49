import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** JSON file with a ServiceSpec[]: what may be checked. */
export const SERVICES_VARIABLE = 'TIERWATCH_CHECK_SERVICES';
/** File that gets one JSON line (a CheckOutcome) per check that ran. */
export const REPORT_VARIABLE = 'TIERWATCH_CHECK_REPORT';

export interface CheckServerPaths {
  /** The repository's root folder. */
  root: string;
  servicesFile: string;
  reportFile: string;
  /** From `bundleCheckServer`; where there is none, the server runs from its sources. */
  bundleFile?: string | null;
}

/**
 * One stdio server as it stands in an MCP configuration, for `HostLayout.mcpServer`. It starts
 * from any working directory: loader and tsconfig are named by absolute path.
 */
export function checkServerCommand(paths: CheckServerPaths) {
  const { root, servicesFile, reportFile, bundleFile = null } = paths;
  const env = { [SERVICES_VARIABLE]: servicesFile, [REPORT_VARIABLE]: reportFile };
  if (bundleFile !== null) {
    return { type: 'stdio', command: process.execPath, args: [bundleFile], env };
  }
  const require = createRequire(path.join(root, 'package.json'));
  return {
    type: 'stdio',
    command: process.execPath,
    args: [
      '--import',
      pathToFileURL(require.resolve('tsx')).href,
      path.join(root, 'workers/runner/mcp/check-server.ts'),
    ],
    env: { TSX_TSCONFIG_PATH: path.join(root, 'tsconfig.json'), ...env },
  };
}

/** The whole file for `--mcp-config`. */
export function checkServerConfig(paths: CheckServerPaths) {
  return { mcpServers: { tierwatch: checkServerCommand(paths) } };
}
