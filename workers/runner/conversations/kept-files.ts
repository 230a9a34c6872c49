/**
 * The files in which the CLI keeps conversations, one each, below the runner's own config folders:
 * `<projects>/<organization>/<project>/config/projects/<work dir>/<CLI session id>.jsonl`. What its
 * sub-agents said lies in a folder beside it, of the same name, and more in folders of the CLI's own.
 */
import { type Dirent, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const CONVERSATION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** Folders of a config folder that hold one of a conversation each, by its id. */
const SIDE_FOLDERS = ['session-env', 'tasks'];

export interface KeptFile {
  cliSessionId: string;
  configDir: string;
  file: string;
}

/** Of every project. Links are not followed, and files of other names are left alone. */
export function listKeptFiles(projectsDir: string): KeptFile[] {
  return foldersIn(projectsDir).flatMap((organization) =>
    foldersIn(organization).flatMap((project) => filesOf(path.join(project, 'config'))),
  );
}

/** Of one project, those of these conversations. */
export function findKeptFiles(configDir: string, cliSessionIds: readonly string[]): KeptFile[] {
  return filesOf(configDir).filter(({ cliSessionId }) => cliSessionIds.includes(cliSessionId));
}

/** With everything that belongs to it; the file last, by which the rest is found again. */
export function removeKept({ cliSessionId, configDir, file }: KeptFile): void {
  const folders = SIDE_FOLDERS.map((folder) => path.join(configDir, folder, cliSessionId));
  for (const folder of [path.join(path.dirname(file), cliSessionId), ...folders]) {
    rmSync(folder, { recursive: true, force: true });
  }
  rmSync(file, { force: true });
}

function filesOf(configDir: string): KeptFile[] {
  return foldersIn(path.join(configDir, 'projects')).flatMap((folder) =>
    entriesIn(folder).flatMap((entry) => {
      const cliSessionId = entry.isFile() ? CONVERSATION.exec(entry.name)?.[1] : undefined;
      return cliSessionId ? [{ cliSessionId, configDir, file: path.join(folder, entry.name) }] : [];
    }),
  );
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
