import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether the CLI has kept a conversation. Its folder is named after the work dir by the CLI's own
 * rule, so every folder of the project's config is looked into instead of repeating that rule.
 */
export function hasTranscript(configDir: string, cliSessionId: string): boolean {
  const projects = path.join(configDir, 'projects');
  return folders(projects).some((folder) => {
    const found = statSync(path.join(projects, folder, `${cliSessionId}.jsonl`), {
      throwIfNoEntry: false,
    });
    return found?.isFile() === true && found.size > 0;
  });
}

function folders(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
