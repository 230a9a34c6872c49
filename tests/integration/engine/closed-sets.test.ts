/** Every closed set is one list in code, and the database holds the same. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { LEDGER_SOURCES } from '@/lib/agents/booking';
import { COOLDOWN_ACTIONS } from '@/lib/commands/catalog/entry';
import { CHANNEL_KINDS } from '@/lib/deliveries/channels/registry';
import { CHANNEL_DISABLED_REASONS } from '@/lib/deliveries/channels/schema';
import { DELIVERY_STATUSES } from '@/lib/deliveries/outbox/schema';
import { startChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { SEAL_FAULTS, SEAL_STORAGES } from '@/lib/engine/seals/schema';
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  APPROVAL_TRANSITIONS,
  APPROVAL_VERDICTS,
  ATTEMPT_STATUSES,
  ATTEMPT_TRANSITIONS,
  CHAIN_OUTCOMES,
  CHAIN_STATUSES,
  CHAIN_TRANSITIONS,
  CHAIN_TRIGGERS,
  COMMAND_STATES,
  DECISION_KINDS,
  HANDOFF_SOURCES,
  LIVE_SESSION_STATUSES,
  ONLY_MODES,
  POINTER_STATES,
  QUESTION_STATUSES,
  SESSION_KINDS,
  SESSION_MECHANISMS,
  SESSION_STATUSES,
  SESSION_TRANSITIONS,
  VOTE_DOORS,
  WAIT_REASONS,
} from '@/lib/engine/statuses';
import {
  FAILING_STATUSES,
  INCIDENT_EVENT_KINDS,
  INCIDENT_RESOLUTIONS,
  INCIDENT_SEVERITIES,
  INCIDENT_SOURCES,
  INCIDENT_STATES,
  INCIDENT_TRANSITIONS,
} from '@/lib/incidents/states';
import { BLOCK_REASONS } from '@/lib/monitoring/block';
import { systemDb } from '@/lib/platform/db/global-db';
import { ROLES } from '@/lib/platform/db/roles';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { APPROVER_ROLES, REFUSAL_EFFECTS } from '@/lib/projects/approval-settings';
import { THRESHOLDS } from '@/lib/projects/thresholds';
import { AGENT_NAMES } from '@/lib/protocol/agent-names';
import { CHECKPOINT_TRIGGERS } from '@/lib/protocol/checkpoint';
import { CONFINEMENT_STATES } from '@/lib/protocol/confinement';
import { LEVELS } from '@/lib/protocol/events';
import { SEAL_REFUSALS } from '@/lib/protocol/seal';
import { ATTEMPT_PURPOSES, CHECK_STATUSES, SERVICE_STATUSES } from '@/lib/protocol/spec';
import { REQUEST_REASONS, REQUEST_RESULTS, REQUEST_STATES } from '@/lib/signals/request-schema';
import { SIGNAL_KINDS, SIGNAL_SEVERITIES, SIGNAL_STATUSES } from '@/lib/signals/schema';
import { SOURCE_KINDS } from '@/lib/signals/source-schema';
import { PROBLEM_COMPONENTS, PROBLEM_KINDS } from '@/lib/watchdog/problems';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

/** Of each table and column, the list in code. */
const SETS: Record<string, readonly (readonly string[])[]> = {
  'signal.kind': [SIGNAL_KINDS],
  'signal.severity': [SIGNAL_SEVERITIES],
  'signal.status': [SIGNAL_STATUSES],
  'signal_request.reason': [REQUEST_REASONS],
  'signal_request.result': [REQUEST_RESULTS],
  'signal_request.state': [REQUEST_STATES],
  'signal_source.kind': [SOURCE_KINDS],
  'api_token.role': [['admin', 'owner']],
  'approval.kind': [APPROVAL_KINDS],
  'approval.min_role': [APPROVER_ROLES],
  'approval.on_refusal': [REFUSAL_EFFECTS],
  'approval.status': [APPROVAL_STATUSES],
  'approval_vote.verdict': [APPROVAL_VERDICTS],
  'approval_vote.via': [VOTE_DOORS],
  'attempt.confinement': [CONFINEMENT_STATES],
  'attempt.only_mode': [ONLY_MODES],
  'attempt.purpose': [ATTEMPT_PURPOSES],
  'attempt.seal_refusal': [SEAL_REFUSALS],
  'attempt.status': [ATTEMPT_STATUSES],
  'chain.outcome': [CHAIN_OUTCOMES],
  'check_change.status': [SERVICE_STATUSES],
  'check_result.status': [SERVICE_STATUSES],
  'checker.blocked_reason': [BLOCK_REASONS],
  'command.state': [COMMAND_STATES],
  'incident.resolution': [INCIDENT_RESOLUTIONS],
  'incident.severity': [INCIDENT_SEVERITIES],
  'incident.source': [INCIDENT_SOURCES],
  'incident.state': [INCIDENT_STATES],
  'incident_event.kind': [INCIDENT_EVENT_KINDS],
  'incident_service.status': [SERVICE_STATUSES],
  'incident_service.worst': [FAILING_STATUSES],
  'service_check.last_status': [SERVICE_STATUSES],
  'service_check.status': [SERVICE_STATUSES],
  'chain.status': [CHAIN_STATUSES],
  'chain.trigger': [CHAIN_TRIGGERS],
  'chain.wait_reason': [WAIT_REASONS],
  'cooldown_action.action': [COOLDOWN_ACTIONS],
  'decision.kind': [DECISION_KINDS],
  'handoff.source': [HANDOFF_SOURCES],
  'installation_problem.component': [PROBLEM_COMPONENTS],
  'installation_problem.kind': [PROBLEM_KINDS],
  'invitation.role': [ROLES],
  'ledger_entry.source': [LEDGER_SOURCES],
  'membership.role': [ROLES],
  'model_window.harness': [AGENT_NAMES],
  'notification_channel.disabled_reason': [CHANNEL_DISABLED_REASONS],
  'notification_channel.kind': [CHANNEL_KINDS],
  'pointer.harness': [AGENT_NAMES],
  'pointer.state': [POINTER_STATES],
  'project_event.level': [LEVELS],
  'project_version.harness': [AGENT_NAMES],
  'question.status': [QUESTION_STATUSES],
  'seal.fault': [SEAL_FAULTS],
  'seal.storage': [SEAL_STORAGES],
  'service.status': [SERVICE_STATUSES],
  'service_health.status': [CHECK_STATUSES],
  'service_health.status_before': [CHECK_STATUSES],
  'service_health.status_worst': [CHECK_STATUSES],
  'session.kind': [SESSION_KINDS],
  'session.mechanism': [SESSION_MECHANISMS],
  'session.wait_reason': [WAIT_REASONS],
  // The second one ties a live status to a missing end.
  'session.status': [SESSION_STATUSES, LIVE_SESSION_STATUSES],
  'session_checkpoints.harness': [AGENT_NAMES],
  'session_checkpoints.trigger': [CHECKPOINT_TRIGGERS],
  // One set of a project, one of each of its tiers.
  'threshold.name': [THRESHOLDS.project, THRESHOLDS.tier1],
  'threshold.scope': [Object.keys(THRESHOLDS).filter((scope) => scope !== 'project')],
  'webhook_delivery.status': [DELIVERY_STATUSES],
};

/** `(status = ANY (ARRAY['a'::text, 'b'::text]))`, as PostgreSQL writes a CHECK. */
const SET = /\((\w+) = ANY \(ARRAY\[([^\]]+)\]/g;

async function setsOfDatabase(): Promise<Record<string, string[][]>> {
  const checks = await systemDb('the closed sets of the schema').$queryRaw<
    { table: string; definition: string }[]
  >(
    Prisma.sql`select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  const sets: Record<string, string[][]> = {};
  for (const { table, definition } of checks) {
    for (const [, column = '', values = ''] of definition.matchAll(SET)) {
      const name = `${table}.${column}`;
      const list = [...values.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);
      sets[name] = [...(sets[name] ?? []), list];
    }
  }
  return sets;
}

const sorted = (sets: readonly (readonly string[])[]) =>
  sets.map((set) => set.toSorted().join(' ')).toSorted();

it('[ENG-1.4] the lists in code and the CHECKs of the database are the same', async () => {
  const stored = await setsOfDatabase();
  const text = (sets: Record<string, readonly (readonly string[])[]>) =>
    Object.fromEntries(Object.entries(sets).map(([name, lists]) => [name, sorted(lists)]));
  expect(text(stored)).toEqual(text(SETS));
});

it('[ENG-1.4] comments of the schema name the lists in code, and repeat none', () => {
  const folder = path.join('prisma', 'schema');
  const comments = readdirSync(folder).flatMap((name) =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trimStart().startsWith('//')),
  );
  const repeated = comments.filter((comment) => {
    const words = new Set(comment.match(/\w+/g));
    return Object.values(SETS).some((lists) =>
      lists.some((list) => list.every((value) => words.has(value))),
    );
  });
  expect(repeated).toEqual([]);
});

const TRANSITIONS: Record<string, Record<string, readonly string[]>> = {
  approval: APPROVAL_TRANSITIONS,
  attempt: ATTEMPT_TRANSITIONS,
  chain: CHAIN_TRANSITIONS,
  incident: INCIDENT_TRANSITIONS,
  session: SESSION_TRANSITIONS,
};

it('the database lets a status follow another as the code says, and no other way', async () => {
  const rows = await systemDb('the transitions of the schema').$queryRaw<
    { table: string; given: Uint8Array }[]
  >(Prisma.sql`
    select c.relname as table, t.tgargs as given from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where t.tgname like '%\\_transition' and not t.tgisinternal`);
  // The arguments of a trigger are texts that end in a zero byte.
  const held = rows.map(({ table, given }) => {
    const [, allowed = ''] = Buffer.from(given).toString('utf8').split('\0');
    return [table, JSON.parse(allowed)];
  });
  expect(Object.fromEntries(held)).toEqual(TRANSITIONS);
});

it('the database keeps a chain ended, whatever writes to it', async () => {
  const { alice, projectId } = await makeCast();
  const { chainId } = await startChain(alice, { projectId, trigger: 'manual' });
  await stopChain(alice, chainId);
  const revived = inTransaction(alice, (db) =>
    db.chain.update({ where: { id: chainId }, data: { status: 'running' } }),
  );
  await expect(revived).rejects.toThrow(`chain ${chainId} can't become running after ended`);
});
