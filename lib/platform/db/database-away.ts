/** PostgreSQL's own codes and those of sockets, Prisma and its pool: the database is not there now. */
const AWAY = new Set([
  ...['57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'],
]);
// For a raw query, Prisma reports PostgreSQL's code only in its message.
const MESSAGE =
  /Connection terminated|Server has closed the connection|is not currently accepting connections|Client has encountered a connection error|Can't reach database server|Unable to start a transaction in the given time|Code: `(?:57P0[123]|53300|080\d\d)`/;

const FULL = new Set(['53100']);
const FULL_MESSAGE = /Code: `53100`|No space left on device/;

/** Whether an error means that the database does not answer at the moment: trying again may help. */
export function isDatabaseAway(error: unknown): boolean {
  return matches(error, AWAY, MESSAGE);
}

/** Whether PostgreSQL refused to write because its disk is full. Reading may still work. */
export function isDatabaseDiskFull(error: unknown): boolean {
  return matches(error, FULL, FULL_MESSAGE);
}

function matches(error: unknown, codes: ReadonlySet<string>, text: RegExp): boolean {
  for (let at = error, depth = 0; at instanceof Object && depth < 6; depth += 1) {
    const { code, originalCode, message, cause } = at as Record<string, unknown>;
    if (codes.has(String(code)) || codes.has(String(originalCode))) return true;
    if (typeof message === 'string' && text.test(message)) return true;
    at = cause;
  }
  return false;
}
