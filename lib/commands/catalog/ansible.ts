import { changes, options, type ProgramEntry } from './entry';

const DANGERS = {
  '-i': 'names other hosts, or runs a program that names them',
  '--inventory': 'names other hosts, or runs a program that names them',
  '-e': 'changes variables, which can run programs on this host',
  '--extra-vars': 'changes variables, which can run programs on this host',
  '-M': 'runs modules of another folder',
  '--module-path': 'runs modules of another folder',
  '-c': 'connects in another way, such as to this host',
  '--connection': 'connects in another way, such as to this host',
  '--private-key': 'uses another key',
  '--key-file': 'uses another key',
  '--vault-password-file': 'runs a program, or reads a file',
  '--vault-id': 'runs a program, or reads a file',
  '--ssh-common-args': 'runs any program',
  '--ssh-extra-args': 'runs any program',
  '--playbook-dir': 'reads another folder',
};
const CLOSED = options(
  '-i|--inventory|--inventory-file {text}',
  '-e|--extra-vars {text}',
  '-a|--args {text}',
  '-M|--module-path {text}',
  '-c|--connection {word}',
  '-u|--user {word}',
  '--private-key|--key-file {text}',
  '--vault-password-file|--vault-pass-file {path under /}',
  '--vault-id {text}',
);
const COMMON = [
  '-l|--limit {word}',
  '-f|--forks {int}',
  '-b|--become',
  '-C|--check',
  '-D|--diff',
  '-v',
];
/** Playbooks and `ansible.cfg` of the work folder can be the agent's own. */
const RISK = 'does anything that a module or playbook can do, on this host and on others';

export const ansible: ProgramEntry = {
  program: 'ansible',
  closedOptions: CLOSED,
  verbs: [
    {
      ...changes('', 'runs a module on hosts', ...COMMON, '-m|--module-name ping|service|systemd'),
      cooldown: {
        action: 'restart',
        targets(args) {
          const text = args.join(' ');
          const isRestart = /\bstate=["']?(restarted|reloaded|stopped|started)\b/.test(text);
          return isRestart ? text.split(/[\s=,"']+/) : null;
        },
        example: 'all -m service -a state=restarted,name=',
      },
      risk: RISK,
    },
  ],
  dangers: {
    ...DANGERS,
    '-a': 'passes arguments, which can be a command',
    '--args': 'passes arguments, which can be a command',
  },
};

export const ansiblePlaybook: ProgramEntry = {
  program: 'ansible-playbook',
  closedOptions: CLOSED,
  verbs: [
    {
      ...changes('', 'runs a playbook', ...COMMON, '-t|--tags {word}', '--skip-tags {word}'),
      cooldown: {
        action: 'redeploy',
        targets: (args) => args.flatMap((arg) => arg.split(/[,=/]/)),
      },
      risk: RISK,
      refuses: (_operands, _given, added) =>
        added.length === 0
          ? null
          : `\`${added[0]}\` would run as a playbook. A rule has to name its playbooks.`,
    },
  ],
  dangers: DANGERS,
};
