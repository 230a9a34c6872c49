import { programCommand } from '../programs/program-command';

/** The shell line for a hook of the CLI; `environment`: besides what the CLI passes on. */
export function hookCommand(options: {
  root: string;
  bundleFile: string | null;
  environment: Readonly<Record<string, string>>;
}): string {
  const { root, bundleFile, environment } = options;
  const { command, args, env } = programCommand(root, 'workers/runner/hooks/hook.ts', bundleFile);
  const set = Object.entries({ ...env, ...environment }).map(
    ([name, value]) => `${name}=${quoted(value)}`,
  );
  return ['env', ...set, ...[command, ...args].map(quoted)].join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
