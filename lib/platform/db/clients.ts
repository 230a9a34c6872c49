import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '@/generated/prisma/client';
import { env } from '../env';
import { statementName } from './statement';
import { guardTenantArgs, MODEL_SCOPE } from './tenant-guard';
import { currentTenant, TenantPool } from './tenant-pool';

const TRANSACTION = { maxWait: 10_000, timeout: 20_000 };
/**
 * A transaction sends queries without waiting for the answers of those before: the relations of an
 * `include`, and writes that are only awaited before the commit.
 */
const pipeline = true;

/** A new connection plans every statement again, which takes longer than most statements. */
const idleTimeoutMillis = 300_000;

function createTenantPool(connectionString: string): TenantPool {
  const pool = new TenantPool({ connectionString, max: 15, pipeline, idleTimeoutMillis });
  pool.on('error', () => {});
  return pool;
}

function createTenantClient(pool: TenantPool) {
  const client = new PrismaClient({
    adapter: new PrismaPg(pool, {
      statementNameGenerator: ({ sql }) => statementName(sql),
    }),
    transactionOptions: TRANSACTION,
  });
  return client.$extends({
    name: 'tenant',
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          const scope = MODEL_SCOPE[model];
          if (scope === 'global') return query(args);
          const organizationId = currentTenant();
          if (!organizationId)
            throw new Error(`${model} needs a tenant: use inTransaction(scope, …).`);
          if (scope === 'organization') return query(args);
          return query(guardTenantArgs(operation, { ...args }, organizationId) as typeof args);
        },
      },
    },
  });
}

function createSystemPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 6, pipeline, idleTimeoutMillis });
  pool.on('error', () => {});
  return pool;
}

function createSystemClient(pool: pg.Pool) {
  return new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: TRANSACTION,
  });
}

type Clients = {
  tenantPool: TenantPool;
  tenant: ReturnType<typeof createTenantClient>;
  systemPool: pg.Pool;
  system: ReturnType<typeof createSystemClient>;
};

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchClients?: Partial<Clients> };

export function tenantClient(): Clients['tenant'] {
  held.tierwatchClients ??= {};
  held.tierwatchClients.tenant ??= createTenantClient(tenantPool());
  return held.tierwatchClients.tenant;
}

/** Returns the pool of the same connections. Outside of a transaction they carry no tenant. */
export function tenantPool(): TenantPool {
  held.tierwatchClients ??= {};
  held.tierwatchClients.tenantPool ??= createTenantPool(env().appDatabaseUrl);
  return held.tierwatchClients.tenantPool;
}

export function systemClient(): Clients['system'] {
  held.tierwatchClients ??= {};
  held.tierwatchClients.system ??= createSystemClient(systemPool());
  return held.tierwatchClients.system;
}

export function systemPool(): pg.Pool {
  held.tierwatchClients ??= {};
  held.tierwatchClients.systemPool ??= createSystemPool(env().systemDatabaseUrl);
  return held.tierwatchClients.systemPool;
}

/** Closes every connection; one that is left idle would keep the process alive for 10 s. */
export async function disconnectClients(): Promise<void> {
  const { tenant, tenantPool, system, systemPool } = held.tierwatchClients ?? {};
  await Promise.all([tenant?.$disconnect(), system?.$disconnect()]);
  await Promise.all([tenantPool, systemPool].map((pool) => (pool?.ending ? null : pool?.end())));
  // Last, so that what still runs gets these and their errors, and no new ones.
  held.tierwatchClients = undefined;
}
