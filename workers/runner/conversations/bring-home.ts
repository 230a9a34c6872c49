import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { KeptConversations } from '@/lib/agents/agent';
import { findKeptFiles, placeElsewhere } from './kept-files';

/** No conversation is that long. */
const MAX_BYTES = 500_000_000;

/**
 * Moves the conversation of a confined attempt from the config folder that it had to itself to the
 * project's, where it is found by the path of the project's work folder. Only its file: whatever else
 * the agent has written there is removed with the attempt. Links are never followed.
 *
 * @throws Error if the agent has made it something that can't be kept
 */
export function bringConversationHome(
  privateConfigDir: string,
  home: { configDir: string; workDir: string },
  conversations: KeptConversations,
  cliSessionId: string,
): void {
  const folder = { configDir: privateConfigDir, conversations: [conversations] };
  for (const kept of findKeptFiles(folder, [cliSessionId])) {
    const { size } = lstatSync(kept.file);
    if (size > MAX_BYTES) throw new Error(`The conversation's file has ${size} bytes.`);
    const to = placeElsewhere(kept.file, kept, conversations, home);
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    renameSync(kept.file, to);
  }
}
