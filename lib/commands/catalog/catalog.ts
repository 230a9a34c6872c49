/**
 * The programs whose verbs are known: what changes something, counts for cooldowns, or runs without a rule.
 * Another one is a file here and a line below.
 */
import { ansible, ansiblePlaybook } from './ansible';
import { CLOSED_PROGRAMS } from './closed-programs';
import { curl } from './curl';
import { df } from './df';
import { dig } from './dig';
import { docker } from './docker';
import { dockerCompose } from './docker-compose';
import type { ProgramEntry } from './entry';
import { gh } from './gh';
import { git } from './git';
import { helm } from './helm';
import { journalctl } from './journalctl';
import { kubectl } from './kubectl';
import { ping } from './ping';
import { ps } from './ps';
import { psql } from './psql';
import { redisCli } from './redis-cli';
import { ss } from './ss';
import { systemctl } from './systemctl';

export const CATALOG: readonly ProgramEntry[] = [
  ansible,
  ansiblePlaybook,
  curl,
  df,
  dig,
  docker,
  dockerCompose,
  gh,
  git,
  helm,
  journalctl,
  kubectl,
  ping,
  ps,
  psql,
  redisCli,
  ss,
  systemctl,
];

/** With those whose options aren't known. */
export const ENTRIES: readonly ProgramEntry[] = [...CATALOG, ...CLOSED_PROGRAMS];

const BY_NAME = new Map(CATALOG.map((entry) => [entry.program, entry]));
const ALL_BY_NAME = new Map(ENTRIES.map((entry) => [entry.program, entry]));

export function findEntry(program: string): ProgramEntry | null {
  return ALL_BY_NAME.get(program) ?? null;
}

/** Returns a program of which open rules can allow something. */
export function findProgram(program: string): ProgramEntry | null {
  return BY_NAME.get(program) ?? null;
}

/**
 * Returns the program and words by which commands of a program are compared: `docker compose` for
 * docker-compose.
 */
export function comparedProgram(name: string): {
  program: string;
  entry: ProgramEntry | null;
  words: readonly string[];
} {
  const entry = findProgram(name);
  if (!entry?.sameAs) return { program: name, entry, words: [] };
  const { program, words } = entry.sameAs;
  return { program, entry: findProgram(program), words };
}
