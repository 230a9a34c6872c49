import { options, type ProgramEntry, reads } from './entry';

const READING = new Set(
  (
    'ping info dbsize lastsave time role get mget strlen exists type ttl pttl hget hgetall hlen hkeys ' +
    'llen lrange lindex scard smembers sismember zcard zrange zscore xlen xrange xinfo'
  ).split(' '),
);
const REPORTS = ['--latency-history', '--bigkeys', '--stat'];
const READING_PAIRS = new Set([
  ...['client list', 'config get', 'memory usage', 'memory stats', 'slowlog get', 'slowlog len'],
  ...['latency latest', 'latency history', 'cluster info', 'cluster nodes', 'command count'],
]);

export const redisCli: ProgramEntry = {
  program: 'redis-cli',
  // Redis reads commands in any case.
  spell: (operand) => [operand.toLowerCase()],
  closedOptions: options(
    '-a|--pass {text}',
    '--user {word}',
    '-u {text}',
    '-s {path under /}',
    '--eval {path under /}',
    '--rdb {path under /}',
    '-r {int}',
    '-x',
    '-X {word}',
    '--pipe',
    '--cluster',
  ),
  verbs: [
    {
      ...reads(
        '',
        'asks Redis',
        ...['-h {host}', '-p {int}', '-n {int}', '--no-auth-warning', '--raw', '--no-raw', '--tls'],
        ...['--latency-history', '--bigkeys', '--stat', '-i {int}'],
      ),
      runsStatements: true,
      risk: 'shows the values of any key; `config get` can show passwords',
      refuses(operands, given) {
        const [command = '', sub = ''] = operands.map((operand) => operand.toLowerCase());
        const isReading = READING.has(command) || READING_PAIRS.has(`${command} ${sub}`);
        const isReport = given.some(({ option }) => REPORTS.includes(option));
        // With neither it reads commands from its input.
        if (operands.length === 0 && !isReport) return 'Give redis-cli a command.';
        return operands.length === 0 || isReading
          ? null
          : `\`${operands.slice(0, 2).join(' ')}\` may change something. A rule has to name the whole command.`;
      },
    },
  ],
  dangers: {
    '-a': 'uses another password',
    '--pass': 'uses another password',
    '-u': 'talks to another server',
    '-s': 'talks to a socket of this host',
    '--eval': 'runs a script from a file',
    '--pipe': 'sends commands from its input',
    '-x': 'sends its input as a value',
    '-X': 'sends its input as a value',
    '--rdb': 'writes a file',
    '--functions-rdb': 'writes a file',
    '-r': 'repeats a command',
    '--cluster': 'changes the cluster',
  },
};
