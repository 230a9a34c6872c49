/** Programs in the sandbox that pass their argv on to the command broker. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isFileItself } from '../process/find-program';
import type { Mount } from '../sandbox/bwrap';
import { readOnly } from '../sandbox/host-view';
import { COMMANDS_PORT, INSIDE } from '../sandbox/inside';

/**
 * Exit code of a command that the broker has refused, as of a program that may not be executed. The
 * sentence on stderr tells it from other programs' 126.
 */
export const REFUSED_CODE = 126;

/**
 * A script of Bash, which the agent's CLI needs anyway: it starts ten times as fast as Node. Output
 * that nobody reads anymore ends the command, as a closed pipe would.
 */
function shim(program: string): string {
  return `#!/bin/bash
# The command broker of Tierwatch runs this program outside of the sandbox, if a rule allows it.
broker=/dev/tcp/127.0.0.1/${COMMANDS_PORT}
fail() { echo "tierwatch: the command broker can't be reached" >&2; exit ${REFUSED_CODE}; }
{ exec 3<>$broker 4<>$broker 5<>$broker; } 2>/dev/null || fail
printf '%s\\0' run "$PWD" $(($# + 1)) '${program}' "$@" >&3 || fail
IFS= read -r id <&3 || fail
printf 'errors\\0%s\\0' "$id" >&4
printf 'end\\0%s\\0' "$id" >&5
/bin/cat <&4 >&2 3<&- 5<&- &
exec 4<&-
/bin/cat <&3 5<&-
exec 3<&-
wait
IFS= read -r code <&5 || fail
exit "$code"
`;
}

/**
 * Writes a shim for each program, and returns the mounts that put them in the place of the real
 * ones, so that an absolute path meets them, too.
 */
export function shimMounts(
  folder: string,
  programs: readonly string[],
  searchPath: string,
): Mount[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const program of programs) {
    writeFileSync(path.join(folder, program), shim(program), { mode: 0o755 });
  }
  const over = programs.flatMap((program) =>
    placesOf(program, searchPath).map((at) => readOnly(path.join(folder, program), at)),
  );
  return [readOnly(folder, INSIDE.commandsDir), ...over];
}

/**
 * Files of this name that the sandbox shows. Not links: their target may be many programs in one,
 * and in the sandbox the real program can do nothing anyway.
 */
function placesOf(program: string, searchPath: string): string[] {
  const folders = [...searchPath.split(':'), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  const files = folders
    .filter((folder) => folder.startsWith('/usr/'))
    .map((folder) => path.join(path.normalize(folder), program));
  return [...new Set(files)].filter(isFileItself);
}
