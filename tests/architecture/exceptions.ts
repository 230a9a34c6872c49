/**
 * Where the code does not yet follow the rules of imports.test.ts. The lists only get shorter:
 * what is new fails, and what has been put right has to be taken out here.
 */

/** Sweeps whose SQL stands in the service; it belongs into a data.ts beside it. */
export const KNOWS_PRISMA = [
  'lib/attempts/service/expire-leases.ts imports @/generated/prisma/client',
  'lib/attempts/service/ring-doorbells.ts imports @/generated/prisma/client',
  'lib/chains/new-chains.ts imports @/generated/prisma/client',
  'lib/chains/service/start-due-chains.ts imports @/generated/prisma/client',
  'lib/maintenance/service.ts imports @/generated/prisma/client',
  'lib/queue/runner-queues.ts imports @/generated/prisma/client',
  'lib/settlement/service.ts imports @/generated/prisma/client',
];

/** Settle and claim read many domains in one transaction; their services could hand the rows in. */
export const READS_OTHER_ROWS = [
  'lib/attempts/claim/facts.ts imports @/lib/cooldowns/data',
  'lib/attempts/claim/facts.ts imports @/lib/projects/data',
  'lib/attempts/claim/facts.ts imports @/lib/usage/data',
  'lib/settlement/booking/data.ts imports @/lib/cooldowns/data',
  'lib/settlement/booking/data.ts imports @/lib/events/data',
  'lib/settlement/booking/data.ts imports @/lib/usage/data',
  'lib/settlement/data.ts imports @/lib/cooldowns/data',
  'lib/settlement/data.ts imports @/lib/projects/data',
  'lib/settlement/data.ts imports @/lib/usage/data',
  'lib/settlement/next-start/data.ts imports @/lib/attempts/data',
  'lib/settlement/next-start/data.ts imports @/lib/chains/data',
];

/** Wants a service of the organization's that answers the scope for the first token. */
export const WAY_IN_READS_ROWS = [
  'lib/cli/commands/token.ts imports @/lib/organizations/by-slug/data',
];
