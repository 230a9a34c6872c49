import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const CATALOG_CHAR = 18;
const BLANK_PADDED_CHAR = 1042;

/**
 * Statements that are sent together are one transaction. With this in it, a migration is noted as done
 * exactly if its statements are; Prisma notes it in a statement of its own, which a kill can prevent.
 */
const NOTE_DONE = `
;
do $note$ begin
  if to_regclass('_prisma_migrations') is not null then
    update _prisma_migrations set finished_at = now() where finished_at is null and rolled_back_at is null;
  end if;
end $note$;`;

/** The adapter refuses the catalog's "char" type, which the engine reads: it passes as a character. */
function acceptCatalogChar(queryable) {
  const performIO = queryable.performIO.bind(queryable);
  const queryRaw = queryable.queryRaw.bind(queryable);
  let typeIds = [];
  queryable.performIO = async (query) => {
    const answer = await performIO(query);
    typeIds = answer.fields.map((field) => field.dataTypeID);
    for (const field of answer.fields) {
      if (field.dataTypeID === CATALOG_CHAR) field.dataTypeID = BLANK_PADDED_CHAR;
    }
    return answer;
  };
  queryable.queryRaw = async (query) => {
    const answer = await queryRaw(query);
    typeIds.forEach((id, column) => {
      if (id === CATALOG_CHAR) answer.columnTypes[column] = ColumnTypeEnum.Character;
    });
    return answer;
  };
  return queryable;
}

function fitForEngine(adapter) {
  acceptCatalogChar(adapter);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (...args) => acceptCatalogChar(await startTransaction(...args));
  // The adapter's own splits at every semicolon, and so breaks the bodies of functions.
  adapter.executeScript = async (script) => {
    const isInTransaction = !/\bconcurrently\b/i.test(script);
    try {
      await adapter.underlyingDriver().query(isInTransaction ? script + NOTE_DONE : script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  return adapter;
}

/** Where shadow databases are made: by the datasource's own role, or by one named for this. */
function shadowAdministrator(config) {
  const url = process.env.TIERWATCH_SHADOW_ADMIN_URL;
  return url ? { connectionString: url } : config;
}

/** Opens connections for the engine, and keeps count of the shadow databases it asks for. */
export class EngineAdapterFactory extends PrismaPg {
  #config;
  #schema;
  #dropShadows = [];

  constructor(config, schema) {
    super({ ...config, max: 1 }, { schema });
    this.#config = config;
    this.#schema = schema;
  }

  async connect() {
    return fitForEngine(await super.connect());
  }

  async connectToShadowDb() {
    const admin = new pg.Client(shadowAdministrator(this.#config));
    await admin.connect();
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    const owner = admin.escapeIdentifier(this.#config.user);
    await admin.query(`create database "${database}" owner ${owner}`);
    const shadow = new EngineAdapterFactory({ ...this.#config, database }, this.#schema);
    const adapter = await shadow.connect();
    const close = adapter.dispose.bind(adapter);
    // The engine disposes of it too early; it is dropped after the request, by dropShadows.
    adapter.dispose = async () => {};
    this.#dropShadows.push(async () => {
      await close();
      await admin.query(`drop database if exists "${database}" with (force)`);
      await admin.end();
    });
    return adapter;
  }

  async dropShadows() {
    for (const drop of this.#dropShadows.splice(0)) await drop();
  }
}
