import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from '@playwright/test';
import pg from 'pg';
import { z } from 'zod';

const connectionSchema = z.object({ superuserPassword: z.string(), port: z.number() });

export interface ClosableDatabase {
  /** Ends every connection of the product under test, and refuses new ones. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** The embedded database of the product under test. */
export function closableDatabase(): ClosableDatabase {
  const { dataDir } = test.info().project.metadata;
  const file = path.join(dataDir, 'postgres', 'connection.json');
  const { superuserPassword: password, port } = connectionSchema.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const query = async (...statements: string[]) => {
    const options = { host: '127.0.0.1', user: 'postgres', database: 'postgres', password, port };
    const client = new pg.Client(options);
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    close: () =>
      query(
        'alter database tierwatch with allow_connections false',
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'tierwatch'",
      ),
    open: () => query('alter database tierwatch with allow_connections true'),
  };
}
