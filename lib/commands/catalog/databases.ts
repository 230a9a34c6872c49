import { options, type ProgramEntry, reads } from './entry';

const NAME = '[a-z_][a-z0-9_]*(?:\\.[a-z_][a-z0-9_]*)?';
/**
 * Statements that can only show something: no function of the statement's own choice, because some
 * read files or run statements that a list of words can't find. A rule names any other one in full.
 */
const READING = [
  new RegExp(
    `^select (?:\\*|count\\(\\*\\)|${NAME}(?:, ?${NAME})*) from ${NAME}(?: order by ${NAME}(?: desc)?)?(?: limit \\d{1,6})?;?$`,
    'i',
  ),
  new RegExp(`^(?:show|table) ${NAME};?$`, 'i'),
  /^\\(?:l|dt|di|dv|dn|du|conninfo)\+?$/,
  new RegExp(`^\\\\d\\+? ${NAME}$`, 'i'),
];

export const psql: ProgramEntry = {
  program: 'psql',
  closedOptions: options(
    '-d|--dbname {text}',
    '-U|--username {text}',
    '-h|--host {text}',
    '-p|--port {int}',
    '-f|--file {path under /}',
    '-o|--output {path under /}',
    '-L|--log-file {path under /}',
    '-v|--set|--variable {text}',
  ),
  readingOptions: options(
    ...['-d|--dbname {text}', '-U|--username {text}', '-h|--host {text}', '-p|--port {int}'],
  ),
  valueOptions: ['-d', '--dbname', '-U', '--username', '-h', '--host', '-p', '--port'],
  verbs: [
    {
      ...reads(
        '',
        'runs a query',
        ...['-X|--no-psqlrc', '-A|--no-align', '-t|--tuples-only', '-q|--quiet'],
        ...['-w|--no-password', '-c|--command {text}'],
      ),
      runsStatements: true,
      risk: 'shows any table that its account may read',
      refuses(_operands, given, added) {
        const has = (...names: string[]) => given.some(({ option }) => names.includes(option));
        if (!has('-X', '--no-psqlrc')) {
          return 'Give psql the option `-X`, so that it reads no settings that name programs.';
        }
        const statements = given.filter(({ option }) => /^(-c|--command)$/.test(option));
        if (statements.length === 0) return 'Give psql a statement with `-c`.';
        const other = statements.find(
          ({ value }) => !READING.some((form) => form.test(value ?? '')),
        );
        if (other) {
          return `\`${other.value}\` may do more than show something. A rule has to name the whole command.`;
        }
        return added.length === 0
          ? null
          : `\`${added[0]}\` names a database. A rule has to name it.`;
      },
    },
  ],
  dangers: {
    '-f': 'runs a file',
    '--file': 'runs a file',
    '-o': 'writes a file, or runs a program',
    '--output': 'writes a file, or runs a program',
    '-L': 'writes a file',
    '--log-file': 'writes a file',
    '-v': 'sets variables, which can run programs',
    '--set': 'sets variables, which can run programs',
    '--variable': 'sets variables, which can run programs',
    '-d': 'names another database',
    '--dbname': 'names another database',
    '-U': 'uses another account',
    '--username': 'uses another account',
    '-h': 'talks to another server',
    '--host': 'talks to another server',
  },
};

const READING_COMMANDS = new Set(
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
        const isReading = READING_COMMANDS.has(command) || READING_PAIRS.has(`${command} ${sub}`);
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
