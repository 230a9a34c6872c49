import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { RunnerProcess } from '../../support/system/runner';

/** Files in which the CLI keeps its conversations, below one runner's folder. */
export function conversationFiles(runner: RunnerProcess): string[] {
  const projects = path.join(runner.dir, 'projects');
  if (!existsSync(projects)) return [];
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && name.includes('/config/projects/'))
    .map((name) => path.join(projects, name));
}
