/** The programs whose verbs and options are known. Another one is a file here and a line below. */
import { ansible, ansiblePlaybook } from './ansible';
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

export function findProgram(program: string): ProgramEntry | null {
  return CATALOG.find((entry) => entry.program === program) ?? null;
}
