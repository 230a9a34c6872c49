/** What a program that is run inside of a container does to the container itself. */

/** End the processes of a container, and with them the container. */
const ENDERS = ['kill', 'pkill', 'killall', 'killall5', 'reboot', 'shutdown', 'halt', 'poweroff'];
const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh'];
/** Prefixes of another command. */
const WRAPPERS = [
  'sudo',
  'env',
  'nohup',
  'setsid',
  'nice',
  'timeout',
  'exec',
  'busybox',
  'command',
];
/** Options of `exec` that take a value. */
const VALUE_OPTIONS = [
  ...['-c', '--container', '-n', '--namespace', '--context', '--kubeconfig', '--index'],
  ...['-e', '--env', '--env-file', '-u', '--user', '-w', '--workdir', '--detach-keys'],
];

/**
 * Returns what `exec web kill 1` restarts: the container, or null where the program inside ends
 * nothing.
 *
 * @param args of `exec`
 */
export function endedByExec(args: readonly string[]): string[] | null {
  const [target, ...command] = withoutOptions(args);
  if (target === undefined || !endsProcesses(command)) return null;
  return [target.slice(target.lastIndexOf('/') + 1)];
}

function withoutOptions(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith('-') && args[at] !== '--') {
    at += VALUE_OPTIONS.includes(args[at] ?? '') ? 2 : 1;
  }
  const [target, ...rest] = args.slice(at);
  return target === undefined ? [] : [target, ...afterSeparator(rest)];
}

/** `kubectl exec web -c app -- kill 1`: options may follow the pod. */
function afterSeparator(rest: readonly string[]): readonly string[] {
  const at = rest.indexOf('--');
  return at === -1 ? rest : rest.slice(at + 1);
}

function endsProcesses(words: readonly string[]): boolean {
  const at = words.findIndex((word) => !isPrefix(word));
  const [first, ...rest] = at === -1 ? [] : words.slice(at);
  if (first === undefined) return false;
  const program = first.slice(first.lastIndexOf('/') + 1);
  if (ENDERS.includes(program)) return true;
  if (!SHELLS.includes(program)) return false;
  return rest.some((word) =>
    word.split(/[;&|\n(){}`$]+/).some((part) => endsProcesses(plain(part))),
  );
}

function isPrefix(word: string): boolean {
  const isWrapped = WRAPPERS.includes(word.slice(word.lastIndexOf('/') + 1));
  return isWrapped || word.startsWith('-') || /^\d+[smhd]?$/.test(word) || /^\w+=/.test(word);
}

function plain(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
