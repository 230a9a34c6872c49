/**
 * The runner's own file, and its update in two steps: a new one is tried from beside it and takes its
 * place only once it has been online. Whenever this is interrupted, the file in place is one that runs.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readJson, writeWhole } from '../files';

export interface ProgramFile {
  /** What a start runs. */
  readonly current: string;
  /** Fetched and verified, and not proven yet. */
  readonly next: string;
  /** What ran before the last update. */
  readonly previous: string;
}

/**
 * All end alike: Node takes a file for a module by its ending.
 *
 * @param current absolute path
 */
export function programFileAt(current: string): ProgramFile {
  const { dir, name, ext } = path.parse(current);
  const beside = (state: string) => path.join(dir, `${name}.${state}${ext}`);
  return { current, next: beside('next'), previous: beside('previous') };
}

/** @returns SHA-256 of its content, hex */
export function checksumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Writes a verified program beside the current one. @throws Error when there is no room for it */
export function stageProgram({ next }: ProgramFile, content: Uint8Array): void {
  writeWhole(next, content, true);
}

/** Puts the proven program in place and keeps the one it replaces. */
export function commitProgram({ current, next, previous }: ProgramFile): void {
  copyFileSync(current, `${previous}.part`);
  renameSync(`${previous}.part`, previous);
  renameSync(next, current);
}

/** Returns whether there was one to discard. */
export function discardProgram({ next }: ProgramFile): boolean {
  const wasThere = existsSync(next);
  rmSync(next, { force: true });
  return wasThere;
}

const failureSchema = z.object({ sha256: z.string(), reason: z.string() });
/** Why an update was taken back. */
export type UpdateFailure = z.infer<typeof failureSchema>;

/** Keeps the reason until the control plane has it. */
export function writeFailure({ current }: ProgramFile, failure: UpdateFailure): void {
  writeWhole(failureFile(current), JSON.stringify(failure));
}

export function readFailure({ current }: ProgramFile): UpdateFailure | null {
  return failureSchema.safeParse(readJson(failureFile(current))).data ?? null;
}

export function dropFailure({ current }: ProgramFile): void {
  rmSync(failureFile(current), { force: true });
}

function failureFile(current: string): string {
  return `${current}.failure`;
}
