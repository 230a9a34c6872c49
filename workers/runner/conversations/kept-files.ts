/**
 * The files in which the CLI keeps conversations, one each, below the runner's own config folders:
 * `<projects>/<organization>/<project>/config/projects/<work dir>/<CLI session id>.jsonl`.
 */
import { type Dirent, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const CONVERSATION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

export interface KeptFile {
  cliSessionId: string;
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

export function removeKeptFile({ file }: KeptFile): void {
  rmSync(file, { force: true });
}

function filesOf(configDir: string): KeptFile[] {
  return foldersIn(path.join(configDir, 'projects')).flatMap((folder) =>
    entriesIn(folder).flatMap((entry) => {
      const cliSessionId = entry.isFile() ? CONVERSATION.exec(entry.name)?.[1] : undefined;
      return cliSessionId ? [{ cliSessionId, file: path.join(folder, entry.name) }] : [];
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
