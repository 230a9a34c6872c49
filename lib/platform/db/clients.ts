import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '@/generated/prisma/client';
import { env } from '../env';
import { statementName } from './statement';
import { guardTenantArgs, MODEL_SCOPE } from './tenant-guard';
import { currentTenant, sendOneAtATime, TenantPool } from './tenant-pool';

const TRANSACTION = { maxWait: 10_000, timeout: 20_000 };
function createTenantClient(connectionString: string) {
  const pool = new TenantPool({ connectionString, max: 15 });
  pool.on('error', () => {});
  pool.on('connect', sendOneAtATime);
  const client = new PrismaClient({
    adapter: new PrismaPg(pool, {
      statementNameGenerator: ({ sql }) => statementName(sql),
      disposeExternalPool: true,
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

function createSystemClient(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 5 });
  pool.on('error', () => {});
  pool.on('connect', sendOneAtATime);
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    transactionOptions: TRANSACTION,
  });
}

type Clients = {
  tenant: ReturnType<typeof createTenantClient>;
  system: ReturnType<typeof createSystemClient>;
};

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchClients?: Partial<Clients> };

export function tenantClient(): Clients['tenant'] {
  held.tierwatchClients ??= {};
  held.tierwatchClients.tenant ??= createTenantClient(env().appDatabaseUrl);
  return held.tierwatchClients.tenant;
}

export function systemClient(): Clients['system'] {
  held.tierwatchClients ??= {};
  held.tierwatchClients.system ??= createSystemClient(env().systemDatabaseUrl);
  return held.tierwatchClients.system;
}

/** Closes every connection; one that is left idle would keep the process alive for 10 s. */
export async function disconnectClients(): Promise<void> {
  await Promise.all([
    held.tierwatchClients?.tenant?.$disconnect(),
    held.tierwatchClients?.system?.$disconnect(),
  ]);
  held.tierwatchClients = undefined;
}
