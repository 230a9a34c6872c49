import path from 'node:path';

/** The shell line for a hook of the CLI; `environment`: in addition to what the CLI passes on. */
export function hookCommand(options: {
  /** The repository's root folder. */
  root: string;
  environment: Readonly<Record<string, string>>;
}): string {
  const { root, environment } = options;
  const set = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  const command = [process.execPath, path.join(root, 'dist', 'hook.mjs')];
  return ['env', ...set, ...command.map(quoted)].join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
