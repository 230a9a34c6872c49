import { options, type ProgramEntry, reads } from './entry';

export const ss: ProgramEntry = {
  program: 'ss',
  closedOptions: options(
    '-K|--kill',
    '-F|--filter {path under /}',
    '-D|--diag {path under /}',
    '-N|--net {text}',
  ),
  verbs: [
    reads(
      '',
      'lists sockets',
      ...['-t|--tcp', '-u|--udp', '-x|--unix', '-l|--listening', '-a|--all', '-n|--numeric'],
      ...['-p|--processes', '-s|--summary', '-i|--info', '-o|--options', '-m|--memory'],
      ...['-e|--extended', '-4|--ipv4', '-6|--ipv6', '-H|--no-header', '-O|--oneline'],
    ),
  ],
  dangers: {
    '-K': 'closes connections',
    '--kill': 'closes connections',
    '-F': 'reads a file',
    '--filter': 'reads a file',
    '-D': 'writes a file',
    '--diag': 'writes a file',
    '-N': 'reaches into another network namespace',
    '--net': 'reaches into another network namespace',
  },
};
