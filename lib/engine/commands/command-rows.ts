import { v7 as uuidv7 } from 'uuid';
import { beforeCommit } from '@/lib/platform/db/raw';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { countCommands } from '../count-work';
import type { EndedCommand } from '../metric-labels';
import { type NumberedEvent, reportedCommands } from './reported';

interface Origin {
  id: string;
  sessionId: string;
  projectId: string;
}

/**
 * Stores what events of an attempt say about its commands, late events included. A command is requested
 * once, and its end is final.
 */
export function keepCommands(
  db: TenantDb,
  attempt: Origin,
  events: readonly NumberedEvent[],
): void {
  const rows = reportedCommands(events).map((command) => ({
    id: uuidv7({ msecs: Date.parse(command.requestedAt) }),
    ...command,
  }));
  if (rows.length === 0) return;
  const write = async () => {
    const ended = await sqlRows(
      db,
    )<EndedCommand>`insert into command (id, organization_id, project_id, session_id, attempt_id, number, attempt_seq,
          argv, rule, may_change, state, refusal_code, refusal_message, exit_code, signal, error, duration_ms,
          output_bytes, requested_at, ended_at)
        select t.id, ${db.organizationId}::uuid, ${attempt.projectId}::uuid, ${attempt.sessionId}::uuid,
          ${attempt.id}::uuid, t.number, t."attemptSeq", t.argv, t.rule, t."mayChange", t.state, t."refusalCode",
          t."refusalMessage", t."exitCode", t.signal, t.error, t."durationMs", t."outputBytes", t."requestedAt", t."endedAt"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(id uuid, number int, "attemptSeq" int, argv jsonb,
          rule text, "mayChange" boolean, state text, "refusalCode" text, "refusalMessage" text, "exitCode" int,
          signal text, error text, "durationMs" int, "outputBytes" bigint, "requestedAt" timestamptz, "endedAt" timestamptz)
        on conflict (organization_id, attempt_id, number) do update set
          state = excluded.state, refusal_code = excluded.refusal_code, refusal_message = excluded.refusal_message,
          exit_code = excluded.exit_code, signal = excluded.signal, error = excluded.error,
          duration_ms = excluded.duration_ms, output_bytes = excluded.output_bytes, ended_at = excluded.ended_at
        where command.state = 'started' and excluded.state <> 'started'
        returning state, refusal_code as "refusalCode", exists (select from approval a
          where a.organization_id = command.organization_id and a.session_id = command.session_id
            and a.grantee_id = command.attempt_id and a.used_number = command.number) as "isApproved"`;
    countCommands(db, ended);
  };
  beforeCommit(db, write());
}
