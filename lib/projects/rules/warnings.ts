/**
 * Warns about rules that allow more than they seem to. Security depends on the allow list, so each
 * gets a sentence.
 */

/** Programs that run arbitrary commands, on this host or another one. */
const INTERPRETERS = [
  'sh',
  'bash',
  'zsh',
  'dash',
  'fish',
  'env',
  'xargs',
  'eval',
  'exec',
  'nohup',
  'timeout',
  'watch',
  'find',
  'awk',
  'sed',
  'perl',
  'python',
  'python3',
  'ruby',
  'node',
  'npx',
  'php',
  'make',
  'sudo',
  'su',
  'doas',
];
const REMOTE = ['ssh', 'ansible', 'salt', 'pdsh', 'psexec'];
/** With these words in front of a command they run it elsewhere. */
const EXEC_PREFIXES = [
  'docker exec',
  'docker run',
  'podman exec',
  'kubectl exec',
  'docker compose exec',
];

/** Programs that take dangerous options anywhere on the line, and what those do. */
const RISKY_OPTIONS: readonly { command: RegExp; risk: string }[] = [
  { command: /^dig\b/, risk: 'reads any file (`-f`) and sends its contents to any server' },
  { command: /^(ping|curl|wget|nc)\b/, risk: 'reaches any host, and can send data there' },
  {
    command: /^(kubectl|oc)\b/,
    risk: 'switches to another cluster (`--context`), or a file that starts programs (`--kubeconfig`)',
  },
  { command: /^journalctl\b/, risk: 'deletes logs (`--vacuum-time`) and reads files (`--file`)' },
  {
    command: /^systemctl (start|restart|isolate)\b/,
    risk: 'starts any unit, such as `reboot.target`',
  },
  { command: /^systemctl\b/, risk: 'reaches other hosts by ssh (`-H`)' },
  {
    command: /^git (add|commit)\b/,
    risk: 'reads any file (`-F`, `--pathspec-from-file`) and runs hooks',
  },
  { command: /^git push\b/, risk: 'runs any program (`--receive-pack`) and pushes to any branch' },
  {
    command: /^git (checkout|switch|pull|merge|rebase)\b/,
    risk: 'runs the hooks of the repository',
  },
  {
    command: /^gh\b/,
    risk: 'sends any file (`--body-file`) and reaches other repositories (`-R`)',
  },
  {
    command: /^(docker[ -]compose)( up)?\b(?! (ps|logs|restart|stop|start|pull|down)\b)/,
    risk: 'starts what a compose file says, with any access to the host that the file asks for',
  },
];

/** Returns a warning about what a rule of the allow list permits unexpectedly, or null. */
export function ruleWarning(rule: string): string | null {
  const match = /^(\w+)(?:\((.*)\))?$/s.exec(rule.trim());
  const [tool, pattern] = [match?.[1], match?.[2]?.trim()];
  if (tool === 'Bash') return bashWarning(pattern);
  const isWhole = pattern === undefined || pattern === '' || pattern === '*';
  if ((tool === 'Edit' || tool === 'Write') && isWhole) {
    return `\`${tool}\` lets this tier change any file on the host. Name a folder: ${tool}(./**).`;
  }
  if (tool === 'Read' && isWhole) {
    return '`Read` lets this tier read any file on the host, including keys. Name a folder: Read(//var/log/**).';
  }
  return null;
}

function bashWarning(pattern: string | undefined): string | null {
  if (!pattern || /^:?\*$/.test(pattern)) {
    return '`Bash` without a command lets this tier run anything on the host.';
  }
  const isOpen = /[:* ]\*$/.test(pattern);
  const command = pattern.replace(/[:\s]*\*+$/, '').trim();
  const program = command.split(/\s+/)[0]?.split('/').at(-1) ?? '';
  if (!isOpen) return null;
  if (REMOTE.includes(program)) {
    return `\`${program}:*\` lets this tier do anything ${program} can, on other hosts, including restarts.`;
  }
  const exec = EXEC_PREFIXES.find((prefix) => command === prefix);
  if (exec) return `\`${exec}:*\` runs any command inside whatever it names.`;
  if (INTERPRETERS.includes(program) && !command.includes(' ')) {
    return `\`${program}:*\` runs any other program: it is as wide as Bash itself.`;
  }
  const risky = RISKY_OPTIONS.find((each) => each.command.test(command));
  return risky
    ? `With the right options, \`${command}\` ${risky.risk}. Name the whole command instead.`
    : null;
}

/** Tools that start sub-agents; tiers 1 and 2 never get them. */
const SUB_AGENT_TOOLS = ['Task', 'Agent'];

export function isLockedTool(tier: 1 | 2 | 3, tool: string): boolean {
  return tier < 3 && SUB_AGENT_TOOLS.includes(tool);
}

/** Refusals alone hold nothing back: another spelling of the same command gets through. */
export function refusalsStandAlone(
  allowed: readonly string[],
  refused: readonly string[],
): boolean {
  const isOpen = allowed.some((rule) => /^Bash(\(:?\*\))?$/.test(rule.trim()));
  return isOpen && refused.length > 0;
}

/** Returns what a tier may do beyond the tier below; shown before it is switched on. */
export function gained(
  tier: { tools: readonly string[]; allowedTools: readonly string[] },
  below: { tools: readonly string[]; allowedTools: readonly string[] },
): { tools: string[]; rules: string[] } {
  return {
    tools: tier.tools.filter((tool) => !below.tools.includes(tool)),
    rules: tier.allowedTools.filter((rule) => !below.allowedTools.includes(rule)),
  };
}
