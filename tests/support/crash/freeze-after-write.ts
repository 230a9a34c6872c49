/**
 * Lets work come as far as the answer to its n-th write and no further, so that the process can be
 * killed exactly there. Every organization's work is on a connection of its own and counted apart;
 * what runs as the system counts as `system`.
 */
import pg from 'pg';

/** Rows, numbers, the audit log's function, the commit. Reads and BEGIN change nothing. */
const WRITE = /^\s*(?:insert|update|delete|with|commit)\b|append_audit/i;
const BEGIN =
  /^BEGIN(?:; SET LOCAL (?:app\.organization_id = '([0-9a-f-]{36})'|statement_timeout = \d+))?$/;

/** @param freezeAfter by organization: the write that is the last; `onFrozen` is told whose it was */
export function freezeAfterWrites(
  freezeAfter: ReadonlyMap<string, number>,
  onFrozen: (owner: string) => void,
): void {
  const send = pg.Client.prototype.query;
  const owners = new WeakMap<pg.Client, string>();
  const writes = new Map<string, number>();
  Reflect.set(pg.Client.prototype, 'query', function query(this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0]);
    const begin = BEGIN.exec(text);
    if (begin) owners.set(this, begin[1] ?? 'system');
    const answer: unknown = Reflect.apply(send, this, args);
    const owner = owners.get(this);
    if (!owner || !WRITE.test(text) || !(answer instanceof Promise)) return answer;
    return answer.then((result: unknown) => {
      const count = (writes.get(owner) ?? 0) + 1;
      writes.set(owner, count);
      if (count !== freezeAfter.get(owner)) return result;
      onFrozen(owner);
      return new Promise(() => {});
    });
  });
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const text = typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : '';
  return typeof text === 'string' ? text : '';
}
