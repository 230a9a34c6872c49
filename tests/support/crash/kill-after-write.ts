/** Ends this process by SIGKILL right after the database has answered its n-th write. */
import pg from 'pg';

/** Numbers, rows, commits, the audit log's function and BullMQ's; reads and BEGIN change nothing. */
const WRITE = /^\s*(?:insert|update|delete|with|commit)\b|append_audit|pg_notify|add_job/i;

let writes = 0;

export function countWrites(): number {
  return writes;
}

export function killAfterWrite(last: number): void {
  const send = pg.Client.prototype.query;
  const written = () => {
    writes += 1;
    // Nothing runs after this line: no rollback, no goodbye to the server.
    if (writes === last) process.kill(process.pid, 'SIGKILL');
  };
  Reflect.set(pg.Client.prototype, 'query', function query(this: pg.Client, ...args: unknown[]) {
    if (!WRITE.test(textOf(args[0]))) return Reflect.apply(send, this, args);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      args[args.length - 1] = countedFirst(
        (...given) => Reflect.apply(callback, undefined, given),
        written,
      );
    const answer: unknown = Reflect.apply(send, this, args);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      written();
      return result;
    });
  });
}

function countedFirst(callback: (...args: unknown[]) => unknown, written: () => void) {
  return (error: unknown, ...rest: unknown[]) => {
    if (!error) written();
    callback(error, ...rest);
  };
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const text = typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : '';
  return typeof text === 'string' ? text : '';
}
