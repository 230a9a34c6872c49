import type { Command, HostLayout } from '@/lib/agents/agent';
import { tierCommand } from '@/lib/agents/registry';
import type { StartSpec } from '@/lib/protocol/spec';

/** Stand-ins for what only a real start has, and how the page writes them. */
const OWN_ID = '00000000-0000-4000-8000-000000000001';
const PARENT_ID = '00000000-0000-4000-8000-000000000002';

const PROGRAMS = { claude: 'claude', demo: 'tierwatch-demo-agent' };

/** The conversation of a start in a preview. */
export function previewContinuation(
  tier: number,
  mode: 'resume' | 'handoff',
): Pick<StartSpec, 'continuation' | 'cliSessionId'> {
  const continuation =
    tier === 1
      ? { mode: 'fresh' as const }
      : mode === 'handoff'
        ? { mode: 'handoff' as const }
        : { mode: 'resume' as const, parentCliSessionId: PARENT_ID };
  return { continuation, cliSessionId: OWN_ID };
}

/** The exact argv of a start, with words in place of ids and of the long report schema. */
export function previewArgv(spec: StartSpec, cliVersion: string | null): string[] {
  const command: Command = tierCommand(spec, placeholderHost(spec, cliVersion));
  const schema = JSON.stringify(spec.reportSchema);
  const shown = new Map([
    [OWN_ID, '<new id>'],
    [PARENT_ID, `<conversation of tier ${spec.tier - 1}>`],
    [schema, `<report schema, ${schema.length.toLocaleString('en')} characters>`],
  ]);
  return [command.file, ...command.args].map((argument) => shown.get(argument) ?? argument);
}

function placeholderHost(spec: StartSpec, cliVersion: string | null): HostLayout {
  return {
    binary: { file: PROGRAMS[spec.harness], args: [] },
    cliVersion,
    workDir: '/runner/work',
    configDir: '/runner/config',
    stateDir: '/runner/state',
    tmpDir: '/runner/tmp',
    systemPromptFile: '/runner/attempt/system-prompt.md',
    mcpConfigFile: '/runner/attempt/mcp.json',
    settingsFile: '/runner/attempt/settings.json',
    hookCommand: 'hook',
    marker: 'preview',
    passThrough: {},
    mcpServer: null,
  };
}
