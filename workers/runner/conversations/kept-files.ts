/**
 * The files in which agents keep conversations, below the runner's own config folders
 * `<projects>/<organization>/<project>/config` and `…/open/config`. Where they lie there, each agent says itself.
 */
import { type Dirent, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { KeptConversations } from '@/lib/agents/agent';
import { OPEN_FOLDER } from '@/lib/protocol/project-folder';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A project's config folder, and how the agents that use it keep conversations in it. */
export interface ConfigFolder {
  configDir: string;
  conversations: readonly KeptConversations[];
}

export interface KeptFile {
  cliSessionId: string;
  file: string;
  configDir: string;
  /** Below the config folder, what else belongs to it. */
  folders: readonly string[];
}

/** Of every project. Links are not followed, and files of other names are left alone. */
export function listKeptFiles(
  projectsDir: string,
  conversations: readonly KeptConversations[],
): KeptFile[] {
  return foldersIn(projectsDir).flatMap((organization) =>
    foldersIn(organization).flatMap((project) =>
      [project, path.join(project, OPEN_FOLDER)].flatMap((agents) =>
        filesOf({ configDir: path.join(agents, 'config'), conversations }),
      ),
    ),
  );
}

/** Of one project, those of these conversations. */
export function findKeptFiles(folder: ConfigFolder, cliSessionIds: readonly string[]): KeptFile[] {
  return filesOf(folder).filter(({ cliSessionId }) => cliSessionIds.includes(cliSessionId));
}

/**
 * Returns where a conversation has to be so that the agent finds it from this work folder; null if
 * the agent doesn't say.
 */
export function placeOf(
  { file, folderOf }: KeptConversations,
  {
    configDir,
    workDir,
    cliSessionId,
  }: { configDir: string; workDir: string; cliSessionId: string },
): string | null {
  if (!ID.test(cliSessionId)) return null;
  const named = file.replaceAll('{id}', cliSessionId);
  if (!named.includes('*')) return path.join(configDir, named);
  return folderOf ? path.join(configDir, named.replace('*', folderOf(workDir))) : null;
}

/** With everything that belongs to it; the file last, by which the rest is found again. */
export function removeKept(kept: KeptFile): void {
  for (const folder of foldersOf(kept)) rmSync(folder, { recursive: true, force: true });
  rmSync(kept.file, { force: true });
}

/** Existing folders that belong to a conversation beside its file. */
export function foldersOf({ cliSessionId, configDir, folders }: KeptFile): string[] {
  return folders.flatMap((folder) =>
    foldersBelow(configDir, folder.replaceAll('{id}', cliSessionId).split('/')),
  );
}

/**
 * Returns where a conversation's file or folder is for an agent that has another config folder and
 * another work folder.
 */
export function placeElsewhere(
  file: string,
  { configDir }: Pick<KeptFile, 'configDir'>,
  { file: form, folderOf }: KeptConversations,
  other: { configDir: string; workDir: string },
): string {
  const parts = path.relative(configDir, file).split(path.sep);
  const formParts = form.split('/');
  const star = formParts.indexOf('*');
  const isFiledByWorkFolder =
    star !== -1 && formParts.slice(0, star).every((name, at) => name === parts[at]);
  if (isFiledByWorkFolder && folderOf) parts[star] = folderOf(other.workDir);
  return path.join(other.configDir, ...parts);
}

function filesOf({ configDir, conversations }: ConfigFolder): KeptFile[] {
  const found = conversations.flatMap((kept) => matches(configDir, kept));
  // Two agents may keep theirs in the same way.
  return [...new Map(found.map((one) => [one.file, one])).values()];
}

function matches(configDir: string, { file, folders }: KeptConversations): KeptFile[] {
  const name = path.posix.basename(file);
  const [before = '', after = ''] = name.split('{id}');
  return foldersBelow(configDir, path.posix.dirname(file).split('/')).flatMap((folder) =>
    entriesIn(folder).flatMap((entry) => {
      const hasForm = entry.name.startsWith(before) && entry.name.endsWith(after);
      const cliSessionId = entry.name.slice(before.length, entry.name.length - after.length);
      if (!entry.isFile() || !hasForm || !ID.test(cliSessionId)) return [];
      return [{ cliSessionId, file: path.join(folder, entry.name), configDir, folders }];
    }),
  );
}

/** Returns existing folders; `*` matches any name. */
function foldersBelow(dir: string, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return [dir];
  const found = foldersIn(dir).filter((folder) => name === '*' || path.basename(folder) === name);
  return found.flatMap((folder) => foldersBelow(folder, rest));
}

function foldersIn(dir: string): string[] {
  return entriesIn(dir).flatMap((entry) =>
    entry.isDirectory() ? [path.join(dir, entry.name)] : [],
  );
}

function entriesIn(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

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
