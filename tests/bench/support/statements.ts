import pg from 'pg';

/** How many statements the work sends to PostgreSQL, those around its transactions included. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  // Below the clients: each of them makes its own pool.
  const { query, execute } = pg.Connection.prototype;
  let count = 0;
  pg.Connection.prototype.query = function (...args) {
    count += 1;
    return query.apply(this, args);
  };
  pg.Connection.prototype.execute = function (...args) {
    count += 1;
    return execute.apply(this, args);
  };
  try {
    await work();
    return count;
  } finally {
    Object.assign(pg.Connection.prototype, { query, execute });
  }
}
