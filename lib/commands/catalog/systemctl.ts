import { changes, options, type ProgramEntry, reads, restarts, type VerbEntry } from './entry';

/** Without a type a unit is a service. A pattern or path can mean several, or another type. */
const UNITS: Required<Pick<ProgramEntry, 'spell' | 'isPlain'>> = {
  spell: (operand) => [operand.replace(/\.service$/, '')],
  isPlain: (operand) => /^[A-Za-z0-9_][\w.@:-]*$/.test(operand),
};

const SHOWS = ['--no-pager', '-l|--full', '-q|--quiet', '--plain', '--no-legend'];
const FILTERS = ['-t|--type {word}', '--state {word}', '-a|--all'];
/** Services that stop the host or open a root shell on it. */
const HOST_SERVICE = /^(systemd-.*|debug-shell|emergency|rescue|initrd-.*)$/;

/** Open rules only allow services. */
function onlyServices(operands: readonly string[]): string | null {
  // Patterns and paths can select other units, including units of other types.
  const other = operands.find((unit) => {
    const name = unit.replace(/\.service$/, '');
    const isOtherType =
      /\.(target|socket|mount|automount|swap|path|timer|slice|scope|device)$/.test(unit);
    return !/^[A-Za-z0-9_][\w.@:-]*$/.test(unit) || isOtherType || HOST_SERVICE.test(name);
  });
  return other === undefined
    ? null
    : `\`${other}\` is not a service. A rule has to name the whole command.`;
}

function changesUnits(verb: string, about: string) {
  return { ...restarts(verb, about, '-q|--quiet', '--no-block'), refuses: onlyServices };
}

/** Starts or stops the units as well, with `--now`. */
function changesWithNow(verb: string, about: string): VerbEntry {
  const targets = (args: readonly string[]) =>
    args.includes('--now') ? args.filter((arg) => !arg.startsWith('-')) : null;
  return { ...changes(verb, about), cooldown: { action: 'restart', example: '--now', targets } };
}

export const systemctl: ProgramEntry = {
  program: 'systemctl',
  ...UNITS,
  closedOptions: options(
    '-H|--host {text}',
    '-M|--machine {word}',
    '--root {path under /}',
    '--image {path under /}',
    '-f|--force',
    '-s|--signal {word}',
    '--kill-whom|--kill-who {word}',
    '--job-mode {word}',
    '--now',
    '--no-block',
    '--wait',
    '--user',
    '--system',
    '--runtime',
    '--no-wall',
    '--no-ask-password',
    '-q|--quiet',
    '-l|--full',
    '--no-pager',
    '-a|--all',
    '--failed',
    '-t|--type {word}',
    '--state {word}',
    '-p|--property {text}',
    '-n|--lines {int}',
    '-o|--output {word}',
  ),
  verbs: [
    reads(
      'status',
      'shows the state of units and the end of their logs',
      ...SHOWS,
      '-n|--lines {int}',
    ),
    reads('is-active', 'says whether units run', '-q|--quiet'),
    reads('is-failed', 'says whether units have failed', '-q|--quiet'),
    reads('is-enabled', 'says whether units start with the host', '-q|--quiet'),
    {
      ...reads(
        'show',
        'shows the properties of units',
        ...SHOWS,
        '-p|--property {text}',
        '--value',
      ),
      risk: 'shows the environment of services, which often contains passwords',
    },
    {
      ...reads('cat', 'shows the files of units', '--no-pager'),
      risk: 'shows unit files, which may contain passwords',
    },
    reads('list-units', 'lists units', ...SHOWS, ...FILTERS, '--failed'),
    reads('list-unit-files', 'lists unit files', ...SHOWS, ...FILTERS),
    reads('list-timers', 'lists timers', ...SHOWS, '-a|--all'),
    changesUnits('restart', 'restarts units'),
    changesUnits('try-restart', 'restarts units that run'),
    changesUnits('reload', 'has units read their configuration again'),
    changesUnits('reload-or-restart', 'reloads units, or restarts them'),
    changesUnits('start', 'starts units'),
    changesUnits('stop', 'stops units'),
    {
      ...changes('reset-failed', 'forgets that units have failed', '-q|--quiet', '--no-block'),
      refuses: onlyServices,
    },
  ],
  closedVerbs: [
    restarts('kill', 'sends a signal to units'),
    restarts('try-reload-or-restart', 'reloads units that run, or restarts them'),
    restarts('reload-or-try-restart', 'reloads units, or restarts those that run'),
    changesWithNow('enable', 'has units start with the host'),
    changesWithNow('disable', 'has units no longer start with the host'),
    changesWithNow('reenable', 'enables units again'),
    changesWithNow('mask', 'keeps units from being started'),
  ],
  readingOptions: options(
    ...['-H|--host {text}', '-M|--machine {word}', '--user', '--system', '-q|--quiet'],
    ...['-l|--full', '--no-pager', '-a|--all', '--failed', '-t|--type {word}', '--state {word}'],
    ...['-p|--property {text}', '-n|--lines {int}', '-o|--output {word}'],
  ),
  listsAlone: true,
  dangers: {
    '-H': 'reaches another host by ssh',
    '--host': 'reaches another host by ssh',
    '-M': 'reaches into a container of the host',
    '--machine': 'reaches into a container of the host',
    '--root': 'works on another file system',
    '--image': 'works on another file system',
    '--force': 'skips the orderly end of services',
    '-f': 'skips the orderly end of services',
    '--now': 'starts or stops units as well',
    '--job-mode': 'can stop every other unit',
  },
};

export const journalctl: ProgramEntry = {
  program: 'journalctl',
  ...UNITS,
  closedOptions: options(
    '-i|--file {path under /}',
    '-D|--directory {path under /}',
    '--root {path under /}',
    '--image {path under /}',
    '-M|--machine {word}',
    '--user-unit {word}',
    '--vacuum-time {text}',
    '--vacuum-size {text}',
    '--vacuum-files {int}',
    '--rotate',
    '--flush',
    '--sync',
    '--relinquish-var',
    '--cursor-file {path under /}',
    '-c|--cursor {text}',
    '--disk-usage',
  ),
  readingOptions: options(
    ...['-i|--file {text}', '-D|--directory {text}', '-M|--machine {word}', '--user-unit {word}'],
    ...['-c|--cursor {text}', '--disk-usage'],
  ),
  verbs: [
    reads(
      '',
      'shows the logs of the host',
      ...['-u|--unit {word}', '-n|--lines {word}', '-p|--priority {word}', '-b|--boot'],
      ...['-S|--since {time}', '-U|--until {time}', '-g|--grep {text}', '--case-sensitive'],
      ...['-o|--output {word}', '-r|--reverse', '-k|--dmesg', '-x|--catalog', '-e|--pager-end'],
      ...['--no-pager', '--no-hostname', '--utc', '-q|--quiet', '-a|--all', '--no-full'],
      ...['-f|--follow', '-t|--identifier {word}'],
    ),
  ],
  dangers: {
    '--vacuum-time': 'deletes logs',
    '--vacuum-size': 'deletes logs',
    '--vacuum-files': 'deletes logs',
    '--rotate': 'closes the current log files',
    '--flush': 'moves logs to the disk',
    '--sync': 'writes logs to the disk',
    '--relinquish-var': 'stops logging to the disk',
    '--smart-relinquish-var': 'stops logging to the disk',
    '--cursor-file': 'writes a file',
    '--file': 'reads any file',
    '-i': 'reads any file',
    '-D': 'reads another folder',
    '--directory': 'reads another folder',
    '--root': 'reads another file system',
    '--image': 'reads another file system',
    '-M': 'reads the logs of a container',
    '--machine': 'reads the logs of a container',
    '--setup-keys': 'writes the keys that seal logs',
    '--update-catalog': 'writes the message catalog',
  },
};
