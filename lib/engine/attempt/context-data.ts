import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type {
  Chain,
  Handoff,
  ModelWindow,
  Organization,
  Pointer,
  Project,
  Runner,
  Seal,
  Session,
} from '@/generated/prisma/client';
import { fromJson } from '@/lib/platform/db/raw';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { HarnessName } from '@/lib/protocol/spec';
import type { Holds } from './holds';

/** The rows around an attempt, read at its claim and again at its end. */
export interface AttemptContext {
  session: Session;
  chain: Chain;
  project: Project;
  organization: Organization;
  runner: Runner | null;
  /** The handoff of the session before this one. */
  handoff: Handoff | null;
  /** What holds the project's starts back, at the time of reading. */
  holds: Holds;
}

type Json = Record<string, unknown>;

/**
 * Reads the rows around an attempt, in one statement because the next tier waits for it. Call it
 * after the attempt was locked: a statement that waits for a lock still sees the other rows as they
 * were before.
 */
export async function readAttemptContext(
  db: TenantDb,
  sessionId: string,
  runnerId: string | null,
  now: Date,
): Promise<AttemptContext> {
  const [row] = await sqlRows(db)<{
    session: Json;
    chain: Json;
    project: Json;
    organization: Json;
    runner: Json | null;
    handoff: Json | null;
    holds: Json;
  }>`select to_jsonb(s) as session, to_jsonb(c) as chain, to_jsonb(p) as project,
        to_jsonb(o) as organization, to_jsonb(r) as runner, to_jsonb(h) as handoff,
        ${holdsColumn(now)} as holds
      from session s
      join chain c on c.organization_id = s.organization_id and c.id = s.chain_id
      join project p on p.organization_id = s.organization_id and p.id = s.project_id
      join organization o on o.id = s.organization_id
      left join runner r on r.organization_id = s.organization_id and r.id = ${runnerId}::uuid
      left join handoff h on h.organization_id = s.organization_id and h.session_id = s.parent_session_id
      where s.organization_id = ${db.organizationId}::uuid and s.id = ${sessionId}::uuid`;
  if (!row) throw new NotFoundError();
  return {
    session: fromJson<Session>(row.session),
    chain: fromJson<Chain>(row.chain),
    project: fromJson<Project>(row.project),
    organization: fromJson<Organization>(row.organization),
    runner: row.runner && fromJson<Runner>(row.runner),
    handoff: row.handoff && fromJson<Handoff>(row.handoff),
    holds: toHolds(row.holds),
  };
}

/** The facts about a session that its new events are compared with. */
export interface Standing {
  tier: number;
  /** Null for a turn of a conversation. */
  chainId: string | null;
  /**
   * Versions of the project's configuration: the one that the session froze, and the current one.
   */
  frozenVersion: number;
  liveVersion: number;
}

export async function findStanding(db: TenantDb, sessionId: string): Promise<Standing | null> {
  const [row] = await sqlRows(
    db,
  )<Standing>`select s.tier, s.chain_id as "chainId", s.project_version as "frozenVersion",
        p.current_version as "liveVersion"
      from session s join project p on p.organization_id = s.organization_id and p.id = s.project_id
      where s.organization_id = ${db.organizationId}::uuid and s.id = ${sessionId}::uuid`;
  return row ?? null;
}

/** The control plane's sealed copy of a conversation. */
export type KeptSeal = Pick<Seal, 'id' | 'bytes' | 'sha256' | 'expiresAt' | 'fault'>;

/** The conversation that a session may continue. */
export interface Predecessor {
  parent: Session | null;
  /** The newest pointer of the parent, without late ones. */
  pointer: Pointer | null;
  /** The runner that holds the conversation. */
  owner: Runner | null;
  /** The sealed copy of that conversation; null if none is kept. */
  seal: KeptSeal | null;
  /** The runner that holds the conversation reported that it sends no copy. */
  isSealRefused: boolean;
  /** That conversation holds text of other systems. */
  isTainted: boolean;
  /** Context windows, as learned with the version of the agent that the runner has. */
  windows: ModelWindow[];
}

/** Reads the predecessor of a session, in one statement. */
export async function readPredecessor(
  db: TenantDb,
  parentSessionId: string | null,
  agent: { harness: HarnessName; cliVersion: string | null },
): Promise<Predecessor> {
  const [row] = await sqlRows(db)<{
    parent: Json | null;
    pointer: Json | null;
    owner: Json | null;
    seal: Json | null;
    isSealRefused: boolean;
    isTainted: boolean;
    windows: Json[];
  }>`select to_jsonb(s) as parent, to_jsonb(t) as pointer, to_jsonb(r) as owner,
        (select jsonb_build_object('id', e.id, 'bytes', e.bytes, 'sha256', e.sha256,
            'expires_at', e.expires_at, 'fault', e.fault) from seal e
          where e.organization_id = t.organization_id and e.attempt_id = t.attempt_id
            and e.written_at is not null) as seal,
        exists (select from attempt a where a.organization_id = t.organization_id
          and a.id = t.attempt_id and a.seal_refusal is not null) as "isSealRefused",
        exists (select from attempt a where a.organization_id = t.organization_id
          and a.id = t.attempt_id and a.is_tainted) as "isTainted",
        (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from model_window w
          where w.organization_id = o.id and w.harness = ${agent.harness}
            and w.cli_version = ${agent.cliVersion}) as windows
      from organization o
      left join session s on s.organization_id = o.id and s.id = ${parentSessionId}::uuid
      left join lateral (
        select * from pointer where organization_id = s.organization_id and session_id = s.id and not is_late
        order by id desc limit 1
      ) t on true
      left join runner r on r.organization_id = t.organization_id and r.id = t.runner_id
      where o.id = ${db.organizationId}::uuid`;
  if (!row) throw new NotFoundError();
  return {
    parent: row.parent && fromJson<Session>(row.parent),
    pointer: row.pointer && fromJson<Pointer>(row.pointer),
    owner: row.owner && fromJson<Runner>(row.owner),
    seal: row.seal && fromJson<KeptSeal>(row.seal),
    isSealRefused: row.isSealRefused,
    isTainted: row.isTainted,
    windows: row.windows.map((window) => fromJson<ModelWindow>(window)),
  };
}

/**
 * An acknowledgement without an end expires after this many days, whatever the state of its
 * services.
 */
const LONGEST_IN_HAND_DAYS = 30;
const DAY_MS = 86_400_000;

const holdsSchema: z.ZodType<Holds> = z.object({
  tierPauses: z.array(z.object({ tier: z.number(), by: z.string(), since: z.coerce.date() })),
  snoozes: z.array(z.object({ service: z.string(), until: z.coerce.date() })),
  acknowledgements: z.array(
    z.object({
      service: z.string(),
      by: z.string(),
      chainNumber: z.number().nullable(),
      incidentNumber: z.number().nullable(),
    }),
  ),
});

/** Returns one JSON column for a statement in which `p` is the project. Parse it with `toHolds`. */
function holdsColumn(now: Date): RawBuilder<unknown> {
  const oldest = new Date(now.getTime() - LONGEST_IN_HAND_DAYS * DAY_MS);
  return sql`jsonb_build_object(
    'tierPauses', (select coalesce(jsonb_agg(jsonb_build_object('tier', t.tier, 'by', t.paused_by, 'since', t.paused_at)), '[]')
      from tier_pause t where t.organization_id = p.organization_id and t.project_id = p.id),
    'snoozes', (select coalesce(jsonb_agg(jsonb_build_object('service', v.name, 'until', v.snoozed_until)), '[]')
      from service v where v.organization_id = p.organization_id and v.project_id = p.id
        and v.snoozed_until > ${now}::timestamptz),
    'acknowledgements', (select coalesce(jsonb_agg(jsonb_build_object('service', v.name, 'by', o.held_by, 'chainNumber', null, 'incidentNumber', o.incident_number)), '[]')
      from service_hold o
      join service v on v.organization_id = o.organization_id and v.id = o.service_id
      where o.organization_id = p.organization_id and o.project_id = p.id
        and (o.held_until is null or o.held_until > ${now}::timestamptz))
    || (select coalesce(jsonb_agg(jsonb_build_object('service', v.name, 'by', k.acknowledged_by, 'chainNumber', k.number, 'incidentNumber', null)), '[]')
      from chain k
      join service v on v.organization_id = k.organization_id and v.project_id = k.project_id
        and v.name = any(k.services_affected)
      where k.organization_id = p.organization_id and k.project_id = p.id
        and k.acknowledged_at > ${oldest}::timestamptz
        and (k.acknowledgement_ends_at is null or k.acknowledgement_ends_at > ${now}::timestamptz)
        -- Found healthy since, so the acknowledgement has ended.
        and not exists (select 1 from service_health h where h.organization_id = v.organization_id
          and h.service_id = v.id and h.status = 'healthy' and h.at > k.acknowledged_at)))`;
}

function toHolds(column: unknown): Holds {
  return holdsSchema.parse(column);
}
