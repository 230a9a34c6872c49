import { type ProgramEntry, reads } from './entry';

export const curl: ProgramEntry = {
  program: 'curl',
  verbs: [
    {
      ...reads(
        '',
        'requests addresses',
        ...['-s|--silent', '-S|--show-error', '-f|--fail', '-i|--include', '-I|--head'],
        ...['-m|--max-time {int}', '--connect-timeout {int}', '-4|--ipv4', '-6|--ipv6'],
        ...['--compressed', '--http1.1', '--http2'],
      ),
      risk: 'reaches any address, including those of this host and its network',
      refuses(operands) {
        const other = operands.find((operand) => !/^https?:\/\/[^\s{}[\]@]+$/i.test(operand));
        return other === undefined
          ? null
          : `\`${other}\` is not a plain http or https address. A rule has to name the whole command.`;
      },
    },
  ],
  dangers: {
    '-T': 'sends a file',
    '--upload-file': 'sends a file',
    '-d': 'sends data, or a file (`@`)',
    '--data': 'sends data, or a file (`@`)',
    '--data-binary': 'sends data, or a file (`@`)',
    '--data-raw': 'sends data',
    '--data-urlencode': 'sends data, or a file (`@`)',
    '--json': 'sends data, or a file (`@`)',
    '-F': 'sends data, or a file (`@`)',
    '--form': 'sends data, or a file (`@`)',
    '-K': 'reads options from a file',
    '--config': 'reads options from a file',
    '-o': 'writes a file',
    '--output': 'writes a file',
    '-O': 'writes a file',
    '--remote-name': 'writes a file',
    '-D': 'writes a file',
    '--dump-header': 'writes a file',
    '-c': 'writes a file',
    '--cookie-jar': 'writes a file',
    '-b': 'sends cookies, or reads them from a file',
    '--cookie': 'sends cookies, or reads them from a file',
    '-n': 'sends passwords of ~/.netrc',
    '--netrc': 'sends passwords of ~/.netrc',
    '--netrc-file': 'reads a file',
    '-u': 'sends a password',
    '--user': 'sends a password',
    '-H': 'sends headers, or a file (`@`)',
    '--header': 'sends headers, or a file (`@`)',
    '-X': 'uses another method, which may change something',
    '--request': 'uses another method, which may change something',
    '-x': 'sends everything through another host',
    '--proxy': 'sends everything through another host',
    '-L': 'follows to any address',
    '--location': 'follows to any address',
    '--unix-socket': 'reaches sockets of this host, such as Docker’s',
    '--resolve': 'sends the request to another host',
    '--connect-to': 'sends the request to another host',
    '--trace': 'writes a file',
    '--stderr': 'writes a file',
    '-w': 'reads a file (`@`)',
    '--write-out': 'reads a file (`@`)',
    '-k': 'accepts any certificate',
    '--insecure': 'accepts any certificate',
  },
};
