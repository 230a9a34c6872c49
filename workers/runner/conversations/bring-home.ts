import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { KeptConversations } from '@/lib/agents/agent';
import { findKeptFiles, foldersOf, placeElsewhere } from './kept-files';

/**
 * Moves the conversation of a confined attempt from the config folder that it had to itself to the
 * project's, where it is found by the path of the project's work folder. Only its own: whatever else
 * the agent has written there is removed with the attempt. Links are never followed.
 *
 * The file comes last: a runner that is killed in between finds it again.
 */
export function bringConversationHome(
  privateConfigDir: string,
  home: { configDir: string; workDir: string },
  conversations: KeptConversations,
  cliSessionId: string,
): void {
  const folder = { configDir: privateConfigDir, conversations: [conversations] };
  for (const kept of findKeptFiles(folder, [cliSessionId])) {
    for (const from of [...foldersOf(kept), kept.file]) {
      const to = placeElsewhere(from, kept, conversations, home);
      mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
      if (from !== kept.file) rmSync(to, { recursive: true, force: true });
      renameSync(from, to);
    }
  }
}
