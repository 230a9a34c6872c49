/** Prometheus' own linter, where the machine has it (Debian: the package prometheus). */
import { spawnSync } from 'node:child_process';

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) {
  process.stderr.write(
    'promtool is not installed (Debian: prometheus), so scrapes are not linted.\n',
  );
}

/** What `promtool check rules` says of a file of rules; empty if it accepts them. */
export function lintRules(file: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file]);
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** What `promtool check metrics` finds in a scrape, one finding a line; empty if nothing. */
export function lintMetrics(text: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
  const found = `${stdout}${stderr}`.trim();
  return status === 0 ? found : `exit ${status}\n${found}`;
}
