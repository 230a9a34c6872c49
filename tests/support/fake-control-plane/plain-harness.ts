import type { Agent } from '@/lib/agents/agent';
import { AGENTS } from '@/lib/agents/registry';
import type { HarnessEvent } from '@/lib/protocol/events';

/**
 * Another agent CLI, as one file would add it: it has no hooks and no MCP, and prints a command and
 * its answer on a line, `$ df -h => full`.
 */
export const plainHarness: Agent = {
  ...AGENTS.claude,
  label: 'Plain agent',
  command: (spec, host) => ({
    file: host.binary.file,
    args: host.binary.args,
    env: { PATH: process.env.PATH ?? '' },
    stdin: spec.prompt,
    stdinStaysOpen: false,
    files: [],
  }),
  surplusTools: () => [],
  createParser() {
    let calls = 0;
    return {
      push(line): HarnessEvent[] {
        const [, command = '', content = ''] = /^\$ (.*) => (.*)$/.exec(line) ?? [];
        calls += 1;
        const toolUseId = `call-${calls}`;
        return [
          {
            kind: 'tool_call',
            messageId: null,
            toolUseId,
            tool: 'Shell',
            input: { command },
            parentToolUseId: null,
          },
          {
            kind: 'tool_result',
            toolUseId,
            isError: false,
            denied: false,
            content,
            stdout: null,
            stderr: null,
            exitCode: 0,
            cutBytes: 0,
          },
        ];
      },
    };
  },
};
