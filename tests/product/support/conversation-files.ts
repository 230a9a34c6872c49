import path from 'node:path';
import { filesBelow } from '../../support/files-below';
import type { RunnerProcess } from '../../support/system/runner';

/** Files in which the CLI keeps its conversations, below one runner's folder. */
export function conversationFiles(runner: RunnerProcess): string[] {
  return filesBelow(path.join(runner.dir, 'projects')).filter(
    (file) => file.endsWith('.jsonl') && file.includes('/config/projects/'),
  );
}
