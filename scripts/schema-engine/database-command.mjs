import pg from 'pg';
import { parseDatasource } from './connection.mjs';

/** The engine reports to the Prisma CLI by log lines on stderr, a first line telling that it started. */
function log(level, fields, target = 'schema_engine') {
  const line = { timestamp: new Date().toISOString(), level, fields, target };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function logFailure(error, config) {
  log('INFO', { message: 'Starting schema engine CLI' });
  const isMissing = error.code === '3D000';
  const fields = isMissing
    ? {
        message: `Database \`${config.database}\` does not exist`,
        error_code: 'P1003',
        meta: { database_name: config.database },
      }
    : {
        message: error.message,
        error_code: 'P1001',
        meta: { database_host: config.host, database_port: String(config.port) },
      };
  log('ERROR', { is_panic: false, ...fields }, 'schema_engine::logger');
}

async function withClient(config, work) {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * `cli can-connect-to-database | create-database | drop-database`.
 * @returns {Promise<number>} the exit code
 */
export async function runDatabaseCommand(command, url) {
  const { config } = parseDatasource(url);
  const maintenance = { ...config, database: 'postgres' };
  const statement = (verb) => (client) =>
    client.query(`${verb} database ${client.escapeIdentifier(config.database)}`);
  try {
    if (command === 'can-connect-to-database') {
      await withClient(config, async () => {});
      log('INFO', { message: 'Connection successful' }, 'schema_engine::logger');
    } else if (command === 'create-database') {
      await withClient(maintenance, statement('create'));
    } else if (command === 'drop-database') {
      await withClient(maintenance, statement('drop'));
    } else {
      throw new Error(`unknown command: ${command}`);
    }
    return 0;
  } catch (error) {
    logFailure(error, config);
    return 1;
  }
}
