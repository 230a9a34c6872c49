/** Ways to write one command for a shell. */

type Spelling = (program: string, args: string) => string;

export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** With the shell and its tools alone, so that each of them works on every host. */
export const PLAIN_SPELLINGS: Spelling[] = [
  (program, args) => `${program} ${args}`,
  (program, args) => `${program}   ${args.replaceAll(' ', '   ')}`,
  (program, args) => `env ${program} ${args}`,
  (program, args) => `timeout 20 ${program} ${args}`,
  (program, args) => `command ${program} ${args}`,
  (program, args) => `nice ${program} ${args}`,
  (program, args) => `LEVEL=1 ${program} ${args}`,
  (program, args) => `cd /tmp && ${program} ${args}`,
  (program, args) => `false; ${program} ${args}`,
  (program, args) => `echo ${args} | xargs ${program}`,
  (program, args) => `p=${program}; $p ${args}`,
  (program, args) => `${program.slice(0, 2)}""${program.slice(2)} ${args}`,
  (program, args) => `'${program}' ${args}`,
  (program, args) => `\\${program} ${args}`,
  (program, args) => `bash -c '${program} ${args}'`,
  (program, args) => `sh -c '${program} ${args}'`,
  (program, args) => `eval '${program} ${args}'`,
  (program, args) => `$(echo ${program}) ${args}`,
  (program, args) => `(${program} ${args})`,
  (program, args) => `{ ${program} ${args}; }`,
  (program, args) => `${program} \\\n${args}`,
  (program, args) => `for one in 1; do ${program} ${args}; done`,
  (program, args) => `echo x | while read -r x; do ${program} ${args}; done`,
  (program, args) => `bash <<'END'\n${program} ${args}\nEND`,
  (program, args) => `${program} ${args} | cat`,
  (program, args) => `${program} ${args} 2>&1 | tail -5`,
  (program, args) => `f() { ${program} "$@"; }; f ${args}`,
  (program, args) => `${program} ${args} & wait`,
];

/** Through other programs, some of which a host may not have. */
const OTHER_SPELLINGS: Spelling[] = [
  (program, args) => `env -i PATH="$PATH" ${program} ${args}`,
  (program, args) => `env -i "$(type -P ${program})" ${args}`,
  (program, args) => `nohup ${program} ${args} > /dev/null 2>&1`,
  (program, args) => `setsid -w ${program} ${args}`,
  (program, args) => `python3 -c ${quoted(`import os; os.system('${program} ${args}')`)}`,
  (program, args) =>
    `python3 -c ${quoted(`import subprocess; subprocess.run('${program} ${args}'.split())`)}`,
  (program, args) => `perl -e ${quoted(`system(qw(${program} ${args}))`)}`,
  (program, args) =>
    `node -e ${quoted(`require('child_process').spawnSync('${program}', '${args}'.split(' '))`)}`,
  (program, args) => `awk ${quoted(`BEGIN { system("${program} ${args}") }`)}`,
  (program, args) => `git -c alias.x='!${program} ${args}' x`,
  (program, args) =>
    `cd /tmp && tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='${program} ${args}' /etc/passwd`,
  (program, args) => `find /etc/passwd -exec ${program} ${args} \\;`,
  (program, args) => `cp "$(type -P ${program})" /tmp/copy && /tmp/copy ${args}`,
  (program, args) => `ln -sf "$(type -P ${program})" /tmp/link && /tmp/link ${args}`,
  (program, args) => `echo '${program} ${args}' > /tmp/script && . /tmp/script`,
  (program, args) =>
    `printf '#!/bin/sh\\n${program} ${args}\\n' > /tmp/run && chmod +x /tmp/run && /tmp/run`,
  (program, args) => `echo ${btoa(`${program} ${args}`)} | base64 -d | bash`,
  (program, args) => `bash <(echo '${program} ${args}')`,
  (program, args) => `trap '${program} ${args}' EXIT`,
  (program, args) => `exec -a docker "$(type -P ${program})" ${args}`,
  (program, args) => `BROKER/bin/${program} ${args}`,
  (program, args) => `PATH=BROKER/bin ${program} ${args}`,
];

/** @param visibleBin where the real programs can be seen in the sandbox */
export function allSpellings(visibleBin: string): Spelling[] {
  const placed = OTHER_SPELLINGS.map(
    (spelling): Spelling =>
      (program, args) =>
        spelling(program, args).replaceAll('BROKER/bin', visibleBin),
  );
  return [...PLAIN_SPELLINGS, ...placed];
}
