import path from 'node:path';
import type { HostLayout } from '../agent';

export const DEMO_AGENT_VERSION = 'demo-1';

/**
 * How the runner starts the demo agent, for `HostLayout.binary`. Plain JavaScript, since a
 * TypeScript loader would triple its start-up time. `root`: the repository's root folder.
 */
export function demoBinary(root: string): HostLayout['binary'] {
  return { file: process.execPath, args: [path.join(root, 'lib/agents/demo/agent/main.mjs')] };
}
