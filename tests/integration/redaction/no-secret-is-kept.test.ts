/** A runner that redacts nothing sends secrets in every text, and none of them is anywhere after. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GET as auditFile } from '@/app/(dashboard)/[orgSlug]/audit/entries/route';
import { GET as logFile } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/sessions/[number]/log.txt/route';
import type { RouteHandler } from '@/lib/api/route';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { askTurn } from '@/lib/conversations/turns';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { startChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { waitForDirectives } from '@/lib/engine/directives';
import { testCheck } from '@/lib/fleet/check-tests';
import { createEnrolment } from '@/lib/fleet/manage-runners';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { listEvents } from '@/lib/insight/sessions/events';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import {
  eventsOf,
  nextAttemptId,
  testReport,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { CANARIES, KEYS } from '@/tests/support/redaction/canaries';
import { useSignedIn } from '@/tests/support/signed-in';
import { openApi } from '../api/support/api';
import { DROP, hostileRunner, POISON, poisonedEvents } from './support/hostile-runner';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const signedIn = useSignedIn();

const database = useTestDatabase();
let cast: Cast;
const logged: string[] = [];

/** The names of the canaries that are left in a text, as they are or written in JSON. */
function leaksIn(text: string): string[] {
  return CANARIES.filter(({ secret }) => {
    const once = JSON.stringify(secret).slice(1, -1);
    const twice = JSON.stringify(once).slice(1, -1);
    return [secret, once, twice, encodeURIComponent(secret)].some((form) => text.includes(form));
  }).map(({ name }) => name);
}

/** Every column of every table that holds text of any kind, with what is in it. */
async function readAllText(): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Record<'s' | 't' | 'c', string>>(
      `select table_schema s, table_name t, column_name c from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
         and data_type not in ('uuid', 'boolean', 'integer', 'bigint', 'smallint', 'numeric',
           'double precision', 'date', 'interval', 'timestamp with time zone',
           'timestamp without time zone')`,
    );
    const found = new Map<string, string>();
    for (const { s, t, c } of columns) {
      const { rows } = await client.query<{ text: string | null }>(
        `select string_agg("${c}"::text, E'\\n') as text from "${s}"."${t}"`,
      );
      found.set(`${s}.${t}.${c}`, rows[0]?.text ?? '');
    }
    return found;
  } finally {
    await client.end();
  }
}

async function runChain(): Promise<void> {
  const runner = hostileRunner(cast.runnerKey);
  const { chainId } = await startChain(cast.alice, {
    projectId: cast.projectId,
    trigger: 'manual',
  });
  const findings = CANARIES.map(({ text: message }) => ({
    service: 'web',
    severity: 'critical' as const,
    message,
  }));
  const report = {
    ...wantsHelp(),
    summary: DROP,
    findings,
    escalation: { wanted: true, reason: DROP, services: ['web'] },
    actions_taken: [{ service: 'web', action: 'restart' as const, command: DROP, outcome: DROP }],
    investigation_findings: POISON,
    remediation_attempted: POISON,
  };
  const first = await runner.claim(await nextAttemptId(cast.runner));
  await runner.send(first, poisonedEvents(first));
  await runner.end(first, {}, resultEvents(first, testReport(report)));

  const second = await runner.claim(await nextAttemptId(cast.runner));
  await runner.send(second, eventsOf(second, { isSilent: true }));
  const handoff = { ...HANDOFF, investigation_findings: POISON, remediation_attempted: POISON };
  await runner.end(
    second,
    { handoffFile: { state: 'read', content: JSON.stringify(handoff) } },
    resultEvents(second, testReport(report)),
  );

  const third = await runner.claim(await nextAttemptId(cast.runner));
  await runner.send(third, eventsOf(third, { isSilent: true }));
  await runner.end(third, {
    startError: { code: 'other', message: POISON },
    exit: { code: 1, signal: DROP },
    handoffFile: { state: 'unreadable', error: POISON },
  });
  await stopChain(cast.alice, chainId).catch(() => {});
}

const HANDOFF = {
  schema_version: 1,
  recommended_tier: 3,
  services_affected: ['web'],
  check_results: [{ service: 'web', check_type: 'http', status: 'down', error: POISON }],
  cooldown_state: { [DROP]: POISON },
};

/** What a CLI prints at its end, with secrets in its texts. */
function resultEvents(spec: Parameters<typeof eventsOf>[0], structuredOutput: unknown) {
  return eventsOf(spec, {}).flatMap((event) =>
    event.kind === 'result'
      ? {
          ...event,
          terminalReason: DROP,
          stopReason: DROP,
          text: POISON,
          errors: CANARIES.map(({ text }) => text),
          structuredOutput,
          permissionDenials: [{ tool: DROP, toolUseId: DROP }],
        }
      : [],
  );
}

/** A turn that asks back and breaks off in the middle of its answer, and one that is answered. */
async function converse(): Promise<void> {
  const runner = hostileRunner(cast.runnerKey);
  const { conversationId } = await startConversation(cast.alice, {
    project: cast.projectSlug,
    message: 'Is web well?',
    forceFresh: false,
  });
  const first = await runner.claim(await nextAttemptId(cast.runner));
  await runner.send(first, [
    ...eventsOf(first, { isSilent: true }),
    {
      kind: 'question',
      requestId: 'r1',
      toolUseId: DROP,
      questions: [
        {
          question: DROP,
          header: DROP,
          multiSelect: false,
          options: [{ label: DROP, description: POISON }],
        },
      ],
    },
    { kind: 'question_closed', requestId: 'r1', outcome: 'answered', answers: { [DROP]: POISON } },
  ]);
  await runner.end(first, {}, resultEvents(first, null));

  for (const { text } of KEYS.filter((_, index) => index % 8 === 0)) {
    await askTurn(cast.alice, conversationId, { message: 'And now?', forceFresh: false });
    const spec = await runner.claim(await nextAttemptId(cast.runner));
    await runner.send(spec, eventsOf(spec, { isSilent: true }));
    // In pieces that fall into the secret, each stored before the next one comes.
    const half = Math.ceil(text.length / 2);
    halves.push(text.slice(0, half), text.slice(half));
    for (const piece of ['I look. ', text.slice(0, half), text.slice(half), ' and so on. ']) {
      await runner.send(spec, [{ kind: 'answer_part', messageId: 'm', text: piece }]);
    }
    pieces.push((await readAllText()).get('public.attempt.unfinished_answer') ?? '');
    await runner.end(spec, { stopCause: 'operator' });
  }
}
const pieces: string[] = [];
const halves: string[] = [];

async function tryCheck(): Promise<unknown> {
  const runner = hostileRunner(cast.runnerKey);
  const check = { type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 } as const;
  const tried = testCheck(cast.alice, { pool: 'default', service: 'web', check });
  const { directives } = await waitForDirectives(cast.runner, new AbortController().signal);
  for (const directive of directives) {
    if (directive.kind === 'check') await runner.answerCheckTest(directive.testId);
  }
  return tried;
}

let triedCheck: unknown;

beforeAll(async () => {
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk, ...rest) => {
    logged.push(String(chunk));
    return write(chunk, ...(rest as []));
  });
  cast = await makeCast({ continuation: { tier1To2: 'handoff', tier2To3: 'handoff' } });
  await createEndpoint(cast.alice, {
    url: 'https://receiver.example/hook',
    description: '',
    eventTypes: ['chain.completed', 'chain.escalated', 'session.completed', 'chain.needs_human'],
    projectId: null,
  });
  await hostileRunner(cast.runnerKey).heartbeat();
  triedCheck = await tryCheck();
  await runChain();
  await converse();
});
afterAll(() => {
  vi.restoreAllMocks();
  liveHub().close();
});

describe('secrets that a runner sends', () => {
  it('[SEC-2.1] are in no column of the database', async () => {
    const columns = await readAllText();
    expect(columns.size).toBeGreaterThan(150);
    const marked = [...columns].filter(([, text]) => text.includes('[redacted: '));
    expect(marked.map(([column]) => column)).toEqual(
      expect.arrayContaining([
        'public.attempt.command',
        'public.attempt.end_text',
        'public.attempt.result',
        'public.audit_log.detail',
        'public.handoff.payload',
        'public.project_event.message',
        'public.question.questions',
        'public.runner.capabilities',
        'public.service.last_error',
        'public.session.report',
        'public.session_checkpoints.digest',
        'public.session_event.payload',
        'public.turn.answer',
        'public.webhook_delivery.body',
      ]),
    );
    const leaks = [...columns].flatMap(([column, text]) =>
      leaksIn(text).map((name) => `${column}: ${name}`),
    );
    expect(leaks).toEqual([]);
  });

  it('[SEC-2.1] are in no answer of the API', async () => {
    const { token } = await createApiToken(cast.alice, {
      name: 'test',
      scopes: ['all'],
      expiresInDays: 1,
    });
    const api = await openApi();
    const ids = await idsOf();
    const paths = [
      ...['projects', 'sessions', 'checkpoints', 'conversations', 'runners', 'audit', 'usage'],
      ...[
        'webhook-deliveries',
        `projects/${ids.project}/chains`,
        `checkpoints?project=${ids.project}`,
      ],
      ...ids.deliveries.map((id) => `webhook-deliveries/${id}`),
      ...ids.chains.map((id) => `chains/${id}`),
      ...ids.runners.map((id) => `runners/${id}`),
      ...ids.conversations.flatMap((id) => [`conversations/${id}`, `conversations/${id}/turns`]),
      ...ids.sessions.flatMap((id) => [
        `sessions/${id}`,
        `sessions/${id}/events?limit=1000`,
        `checkpoints/${id}`,
      ]),
    ];
    let redacted = 0;
    for (const path of paths) {
      const response = await api('GET', path, { token });
      const text = await response.text();
      expect(response.status, `${path} ${text.slice(0, 200)}`).toBe(200);
      expect(leaksIn(text), path).toEqual([]);
      if (text.includes('[redacted: ')) redacted += 1;
    }
    expect(redacted).toBeGreaterThan(10);
    for (const id of ids.asks) {
      const shown = JSON.stringify(await listEvents(cast.alice, id, { limit: 1_000 }));
      expect(leaksIn(shown)).toEqual([]);
    }
  });

  it('[SEC-2.1] are in no download', async () => {
    signedIn.user = {
      id: cast.alice.actor.id,
      label: cast.alice.actor.label,
      name: 'Alice',
      authSessionId: cast.alice.actor.id,
      provedAt: new Date(),
    };
    const orgSlug = cast.organizationSlug;
    const read = async (handler: RouteHandler, query: string, params: object) => {
      const request = new Request(`http://127.0.0.1/x?${query}`, {
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      const response = await handler(request, { params: Promise.resolve({ orgSlug, ...params }) });
      const text = await response.text();
      expect(response.status, text.slice(0, 200)).toBe(200);
      return text;
    };
    const { numbers } = await idsOf();
    for (const number of numbers) {
      const log = await read(logFile, '', {
        projectSlug: cast.projectSlug,
        number: String(number),
      });
      expect(leaksIn(log)).toEqual([]);
    }
    for (const format of ['csv', 'jsonl']) {
      expect(leaksIn(await read(auditFile, `format=${format}`, {}))).toEqual([]);
    }
  });

  it('[SEC-2.1] are in no line of the log', () => {
    expect(leaksIn(logged.join(''))).toEqual([]);
  });

  it('[SEC-2.1] are not in what a tried check has found', () => {
    expect(JSON.stringify(triedCheck)).toContain('[redacted: ');
    expect(leaksIn(JSON.stringify(triedCheck))).toEqual([]);
  });

  it('[SEC-2.1] that come in pieces are not stored by halves either', () => {
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toContain('I look. ');
    const stored = pieces.join('\n');
    expect(halves.filter((half) => stored.includes(half))).toEqual([]);
  });

  it('[SEC-2.1] are no name for a runner', async () => {
    const { token } = await createEnrolment(cast.alice, { pool: 'default', allowedTiers: [1] });
    const key = CANARIES.find(({ name }) => name === 'GitHub, classic');
    const runner = hostileRunner(cast.runnerKey);
    expect(await runner.enroll(token, key?.text ?? '')).toBe(422);
    expect(await runner.enroll(token, 'runner-2')).toBe(201);
  });
});

async function idsOf() {
  return inTransaction(cast.alice, async (db) => {
    const [sessions, chains, runners, conversations, deliveries] = [
      await db.session.findMany({}),
      await db.chain.findMany({}),
      await db.runner.findMany({}),
      await db.conversation.findMany({}),
      await db.webhookDelivery.findMany({}),
    ];
    return {
      project: encodeId('prj', cast.projectId),
      numbers: sessions.flatMap(({ kind, number }) => (kind === 'ask' ? [] : number)),
      sessions: sessions.flatMap(({ kind, id }) => (kind === 'ask' ? [] : encodeId('ses', id))),
      asks: sessions.flatMap(({ kind, id }) => (kind === 'ask' ? encodeId('ses', id) : [])),
      chains: chains.map(({ id }) => encodeId('chn', id)),
      runners: runners.map(({ id }) => encodeId('rnr', id)),
      conversations: conversations.map(({ id }) => encodeId('cnv', id)),
      deliveries: deliveries.map(({ id }) => encodeId('dlv', id)),
    };
  });
}
