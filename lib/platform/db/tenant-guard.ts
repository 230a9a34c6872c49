import type { Prisma } from '@/generated/prisma/client';

/**
 * What the tenant extension does to the arguments of a query: pure, so that it can be tested apart
 * from the database. Row-level security applies below it, independently.
 */
const WRITES_WITH_DATA = [
  'create',
  'createMany',
  'createManyAndReturn',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
];
const WITHOUT_WHERE = ['create', 'createMany', 'createManyAndReturn'];
const NESTED_WRITES = [
  'create',
  'createMany',
  'connect',
  'connectOrCreate',
  'disconnect',
  'delete',
  'deleteMany',
  'update',
  'updateMany',
  'upsert',
];
/** Columns whose value is any JSON, so that its keys mean nothing to Prisma. */
const JSON_COLUMNS = [
  'config',
  'capabilities',
  'start',
  'command',
  'report',
  'payload',
  'facts',
  'result',
  'raw',
  'reportedUsage',
  'detail',
  'response',
  'spec',
  'event',
  'recent',
  'mapping',
  'headers',
  'labels',
  'annotations',
];

type Args = Record<string, unknown>;

/** Throws when a write names another organization or writes through a relation. */
export function guardTenantArgs(operation: string, args: Args, organizationId: string): Args {
  if (WRITES_WITH_DATA.includes(operation)) {
    for (const data of rowsOf(operation, args)) {
      checkOrganization(data, organizationId);
      checkNested(data);
    }
  }
  if (WITHOUT_WHERE.includes(operation)) return args;
  const where = isRecord(args.where) ? args.where : {};
  checkOrganization(where, organizationId);
  return { ...args, where: { ...where, organizationId } };
}

function rowsOf(operation: string, args: Args): Args[] {
  if (operation === 'upsert') return [args.create, args.update].filter(isRecord);
  const data = args.data;
  return (Array.isArray(data) ? data : [data]).filter(isRecord);
}

function checkOrganization(data: Args, organizationId: string): void {
  const named = data.organizationId;
  if (named !== undefined && named !== organizationId) {
    throw new Error('A query used a different organization than the one in scope.');
  }
}

// Prisma extensions do not see nested writes, and a nested connect can pull another tenant's row over.
function checkNested(data: Args): void {
  for (const [field, value] of Object.entries(data)) {
    if (JSON_COLUMNS.includes(field) || !isRecord(value)) continue;
    if (Object.keys(value).some((key) => NESTED_WRITES.includes(key)) || setsRows(value.set)) {
      throw new Error(`Write ${field} with its own call, not nested.`);
    }
  }
}

/** `set` also writes scalar lists; with records it moves the rows of a relation. */
function setsRows(set: unknown): boolean {
  return isRecord(set) || (Array.isArray(set) && set.some(isRecord));
}

function isRecord(value: unknown): value is Args {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A new model does not compile until someone decides whose rows it holds. */
export const MODEL_SCOPE: Record<Prisma.ModelName, 'tenant' | 'organization' | 'global'> = {
  User: 'global',
  Account: 'global',
  AuthSession: 'global',
  PasswordReset: 'global',
  TotpFactor: 'global',
  Passkey: 'global',
  RecoveryCode: 'global',
  PendingSignIn: 'global',
  RateLimit: 'global',
  ProcessHeartbeat: 'global',
  JobRun: 'global',
  QueueSample: 'global',
  InstallationProblem: 'global',
  SealRemoval: 'global',
  Organization: 'organization',
  Membership: 'tenant',
  ApiToken: 'tenant',
  Invitation: 'tenant',
  IdempotencyKey: 'tenant',
  Project: 'tenant',
  ProjectVersion: 'tenant',
  Threshold: 'tenant',
  TierPause: 'tenant',
  Service: 'tenant',
  ServiceHealth: 'tenant',
  CooldownAction: 'tenant',
  ProjectEvent: 'tenant',
  Chain: 'tenant',
  Session: 'tenant',
  Attempt: 'tenant',
  SessionEvent: 'tenant',
  Decision: 'tenant',
  Handoff: 'tenant',
  Pointer: 'tenant',
  Checkpoint: 'tenant',
  Conversation: 'tenant',
  Turn: 'tenant',
  AgentEpoch: 'tenant',
  Question: 'tenant',
  Approval: 'tenant',
  Command: 'tenant',
  OncallCalendar: 'tenant',
  PagingPolicy: 'tenant',
  ProjectPagingPolicy: 'tenant',
  PagingRun: 'tenant',
  PagingStep: 'tenant',
  SignalSource: 'tenant',
  SignalRequest: 'tenant',
  Signal: 'tenant',
  ApprovalVote: 'tenant',
  ServiceCheck: 'tenant',
  CheckResult: 'tenant',
  CheckHour: 'tenant',
  CheckChange: 'tenant',
  PingCheck: 'tenant',
  Checker: 'tenant',
  Incident: 'tenant',
  IncidentService: 'tenant',
  IncidentChain: 'tenant',
  IncidentSignal: 'tenant',
  IncidentEvent: 'tenant',
  ServiceHold: 'tenant',
  ModelWindow: 'tenant',
  SealKey: 'tenant',
  Seal: 'tenant',
  SealBlob: 'tenant',
  LedgerEntry: 'tenant',
  DailyUsage: 'tenant',
  MonthlyUsage: 'tenant',
  DeletedProject: 'tenant',
  RunnerPool: 'tenant',
  Runner: 'tenant',
  EnrolmentToken: 'tenant',
  CheckTest: 'tenant',
  NotificationChannel: 'tenant',
  WebhookEndpoint: 'tenant',
  WebhookDelivery: 'tenant',
  WebhookAttempt: 'tenant',
  AuditLog: 'tenant',
  AuditHead: 'tenant',
};
