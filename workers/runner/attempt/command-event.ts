import { type Command, shownArgv } from '@/lib/agents/agent';
import { cutWithRemark } from '@/lib/agents/event-size';
import { isSecretName } from '@/lib/platform/redaction/assigned-secrets';
import type { ConfinementState } from '@/lib/protocol/confinement';
import type { CommandEvent } from '@/lib/protocol/events';
import type { StartSpec } from '@/lib/protocol/spec';
import type { AgentHost } from './agent-host';
import { folderIdentity } from './folder-identity';

/** Exactly what is started, but of a variable with a secret only that it is set. */
export type VerifiedFact = NonNullable<CommandEvent['verified']>[number];

export function commandEvent(options: {
  command: Command;
  /** On the host. */
  paths: { workDir: string; configDir: string };
  confinement: ConfinementState;
  start: StartSpec;
  host: Pick<AgentHost, 'version' | 'fingerprint' | 'account'>;
  /** Variables an operator passes through by name: their values are never shown. */
  passEnv: readonly string[];
  /** What was compared with the start and found equal. */
  verified: readonly VerifiedFact[];
}): CommandEvent {
  const { command, paths, start, host } = options;
  const env = Object.entries(command.env).map(([name, value]) => {
    const isHidden = options.passEnv.includes(name) || isSecretName(name);
    return [name, isHidden ? 'set' : value];
  });
  return {
    kind: 'command',
    argv: shownArgv(command).map((arg) => cutWithRemark(arg)),
    env: Object.fromEntries(env),
    // What the agent reads; a process that can ask gets it wrapped in a line of JSON.
    prompt: command.stdinStaysOpen ? start.prompt : command.stdin,
    systemPrompt: start.systemPrompt,
    workDir: paths.workDir,
    configDir: paths.configDir,
    workDirInode: folderIdentity(paths.workDir),
    verified: [...options.verified],
    cliVersion: host.version,
    fingerprint: host.fingerprint,
    account: host.account,
    confinement: options.confinement,
  };
}
