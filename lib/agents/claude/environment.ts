/** The complete environment of one CLI process. */
import type { StartSpec } from '@/lib/protocol/spec';
import type { HostLayout } from '../agent';

/** Every child of the CLI inherits it, so a process can be told to belong to an attempt. */
export const MARKER_VARIABLE = 'TIERWATCH_ATTEMPT';

/** What another CLI above the runner would leave behind, and the key that goes by descriptor. */
const WITHHELD =
  /^(ANTHROPIC_API_KEY|CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SESSION_ID|CHILD_SESSION|EXECPATH))$/;

export function environment(spec: StartSpec, host: HostLayout): Record<string, string> {
  const inherited = Object.entries(host.passThrough).filter(([name]) => !WITHHELD.test(name));
  return {
    HOME: host.configDir,
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...Object.fromEntries(inherited),
    CLAUDE_CONFIG_DIR: host.configDir,
    CLAUDE_CODE_TMPDIR: host.tmpDir,
    // Our scheduler waits better than the CLI, whose ten retries take three minutes.
    CLAUDE_CODE_MAX_RETRIES: '2',
    // `@path` in a prompt would put that file into the conversation, whatever the rules say.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    // Notes that the CLI keeps for itself would carry one cycle's words into the next.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Otherwise it begins without the tools of a server that is slow to come up on a busy host.
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_CONNECT_TIMEOUT_MS: '30000',
    ...(host.apiKey === undefined ? {} : { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: '3' }),
    CLAUDEOPS_STATE_DIR: host.stateDir,
    CLAUDEOPS_TIER: String(spec.tier),
    [MARKER_VARIABLE]: host.marker,
  };
}
