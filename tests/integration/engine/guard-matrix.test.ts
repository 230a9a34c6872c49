/**
 * Every guard of the resume decision, driven to "stop" and to "continue" through rows and what
 * runners send. The last test fails for a guard without such a pair.
 */

import { expect, it } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { askTurn } from '@/lib/conversations/turns';
import { claimAttempt } from '@/lib/engine/claim';
import { GUARDS, RUNNER_CHECKS } from '@/lib/engine/continuation/guards/matrix';
import { recordHeartbeat } from '@/lib/engine/directives';
import { changeOrganization } from '@/lib/identity/organizations/service';
import { getSession } from '@/lib/insight/sessions/get-session';
import type { GuardDto } from '@/lib/insight/sessions/schema';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { createProject } from '@/lib/projects/manage-project';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import {
  claimNext,
  nextAttemptId,
  type Played,
  play,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { reviveSessions } from '@/tests/support/revive-sessions';
import { talk } from '../conversations/support/asking';
import { secondRunner } from '../conversations/support/second-runner';
import { command, startOne } from './support/running';

const database = useTestDatabase();

/** What happens until the start whose decision is looked at. */
interface Case {
  config?: Partial<ProjectConfig>;
  /** Before tier 1 starts. */
  chain?: (cast: Cast) => Promise<unknown>;
  /** Only tier 1 starts. */
  isFirst?: boolean;
  /** The second turn of a conversation starts instead of tier 2. */
  isTurn?: boolean;
  /** As tier 1 plays. */
  first?: Played;
  /** After tier 1 has handed up and before tier 2 starts. */
  rows?: (cast: Cast) => Promise<unknown>;
  /** Tier 2 fails in a way that is worth a retry, these events of it come late, and it starts again. */
  late?: RunnerEvent[];
  /** Who asks for the start; the cast's runner without it. */
  runner?: (cast: Cast) => Promise<TenantScope>;
  /** What tier 2 sends once it has started. */
  sent?: Played;
}

const change = (work: (db: TenantDb) => Promise<unknown>) => (cast: Cast) =>
  inTransaction(cast.alice, async (db) => {
    await work(db);
  });
const pointer = (data: Prisma.PointerUpdateManyMutationInput): Case => ({
  rows: change((db) => db.pointer.updateMany({ data })),
});
const attempt = (data: Prisma.AttemptUpdateManyMutationInput): Case => ({
  rows: change((db) => db.attempt.updateMany({ where: { status: 'queued' }, data })),
});
const denied = (version: string): Case => ({
  rows: (cast) => changeOrganization(cast.alice, { deniedCliVersions: [version] }),
});
const beats = (fingerprint: string): Case => ({
  rows: (cast) => {
    const harnesses = TEST_CAPABILITIES.harnesses.map((each) => ({ ...each, fingerprint }));
    const capabilities = { ...TEST_CAPABILITIES, harnesses };
    return recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
  },
});
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const isOver = { waitUntil: hoursAgo(1) };

const [one, two, three] = DEFAULT_TIERS;
const tierTwoWith = (model: string): Case => ({
  config: {
    unprovenModels: 'handoff',
    tiers: [one, { ...two, isEnabled: true, model }, { ...three, isEnabled: true }],
  },
});

async function takenFrom(cast: Cast): Promise<TenantScope> {
  const other = await secondRunner(cast);
  await attempt({ requiredRunnerId: null, ...isOver }).rows?.(cast);
  return other;
}

async function movePointer(cast: Cast): Promise<void> {
  const { projectId } = await createProject(cast.alice, {
    name: 'Other',
    slug: 'other',
    config: testConfig(),
  });
  await pointer({ projectId } as Prisma.PointerUpdateManyMutationInput).rows?.(cast);
}

const refusedStart = (code: 'work_dir_changed' | 'transcript_changed'): Case => ({
  sent: {
    isSilent: true,
    result: {
      startedAt: null,
      startError: { code, message: 'It is another one.' },
      exit: null,
      transcriptSeen: false,
    },
  },
});
const verified: Case = {
  sent: { report: { resolved: true }, verified: ['work_dir', 'transcript'] },
};

/** Tier 1 has read alerts. */
const taint = change((db) =>
  db.attempt.updateMany({ where: { status: 'ended' }, data: { isTainted: true } }),
);

/** Both differ in one fact. */
const PAIRS: Record<string, { stop: Case; pass: Case }> = {
  G0: { stop: pointer({ contextTokens: -1 }), pass: pointer({ contextTokens: 0 }) },
  G1: { stop: { rows: movePointer }, pass: {} },
  // Whether a tier may start at all is decided before, by the gates of the start policy.
  G2: { stop: attempt({ number: 5 }), pass: attempt({ number: 4 }) },
  G23: { stop: denied('2.1.197'), pass: denied('2.1.19') },
  G5: {
    stop: { late: command('systemctl restart web', { isRunning: true }) },
    pass: { late: command('ls /etc', { isRunning: true }) },
  },
  G6: {
    stop: { late: command('systemctl restart web') },
    pass: { late: command('systemctl restart web', { denied: true }) },
  },
  G3: {
    stop: {
      isFirst: true,
      chain: change((db) => db.chain.updateMany({ data: { trigger: 'schedule' } })),
    },
    pass: { isFirst: true },
  },
  G4: { stop: { isFirst: true }, pass: {} },
  G7: {
    stop: { rows: change((db) => db.chain.updateMany({ data: { isForceFresh: true } })) },
    pass: { rows: change((db) => db.chain.updateMany({ data: { isForceFresh: false } })) },
  },
  G8: {
    stop: { config: { continuation: { tier1To2: 'handoff', tier2To3: 'resume' } } },
    pass: { config: { continuation: { tier1To2: 'resume', tier2To3: 'handoff' } } },
  },
  G9: { stop: pointer({ state: 'unconfirmed' }), pass: pointer({ state: 'confirmed' }) },
  G24: { stop: { rows: taint }, pass: { rows: taint, config: { taintedConversation: 'resume' } } },
  G10: { stop: pointer({ failures: 2 }), pass: pointer({ failures: 1 }) },
  // The database lets a chain have one live session, so only a turn can meet one.
  G11: {
    stop: {
      isTurn: true,
      rows: async (cast) => {
        await reviveSessions(database, 'running', "status = 'completed'");
        await attempt(isOver).rows?.(cast);
      },
    },
    pass: { isTurn: true, ...attempt(isOver) },
  },
  G12: {
    stop: {
      rows: change((db) => db.session.updateMany({ where: { tier: 1 }, data: { tier: 3 } })),
    },
    pass: {},
  },
  G13: { stop: attempt({ onlyMode: 'handoff' }), pass: attempt({ onlyMode: null }) },
  G14: { stop: pointer({ projectVersion: 2 }), pass: pointer({ projectVersion: 1 }) },
  G15: { stop: pointer({ createdAt: hoursAgo(73) }), pass: pointer({ createdAt: hoursAgo(71) }) },
  G16: { stop: beats('another'), pass: beats('f1') },
  G18: { stop: { runner: takenFrom }, pass: attempt({ requiredRunnerId: null, ...isOver }) },
  G19: { stop: tierTwoWith('opus'), pass: tierTwoWith('sonnet') },
  G20: { stop: pointer({ contextTokens: 170_000 }), pass: pointer({ contextTokens: 150_000 }) },
  G22: {
    stop: { config: { maxRereadTokens: 1_000 }, first: { contextTokens: 1_001 } },
    pass: { config: { maxRereadTokens: 1_000 }, first: { contextTokens: 1_000 } },
  },
  R1: { stop: refusedStart('work_dir_changed'), pass: verified },
  R2: { stop: refusedStart('transcript_changed'), pass: verified },
};

/** What the first decision on that start says of the guard. */
async function guardOf(id: string, given: Case): Promise<Pick<GuardDto, 'state'> | undefined> {
  const cast = await makeCast(given.config);
  if (given.isTurn) return guardOfTurn(cast, id, given);
  await startOne(cast);
  await given.chain?.(cast);
  const first = await claimNext(cast.runner);
  if (given.isFirst) return shown(cast, id, first.attemptId);
  const result = { transcript: { bytes: 4_096, sha256: 'a'.repeat(64) } };
  await play(cast.runner, first, { report: wantsHelp(), result, ...given.first });
  if (given.late) await failLate(cast, given.late);
  await given.rows?.(cast);
  const runner = (await given.runner?.(cast)) ?? cast.runner;
  const attemptId = await nextAttemptId(runner);
  const now = given.late ? new Date(Date.now() + 60_000) : new Date();
  const spec = await claimAttempt(runner, attemptId, now).catch(() => null);
  if (spec && given.sent) await play(runner, spec, given.sent);
  return shown(cast, id, attemptId);
}

async function guardOfTurn(cast: Cast, id: string, { rows }: Case) {
  const conversation = await talk(cast);
  await askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });
  await rows?.(cast);
  const { attemptId } = await claimNext(cast.runner);
  const decision = await inTransaction(cast.alice, (db) =>
    db.decision.findFirstOrThrow({ where: { attemptId } }),
  );
  const { guards } = decision.facts as unknown as { guards: GuardDto[] };
  return guards.find((guard) => guard.id === id);
}

async function failLate(cast: Cast, late: RunnerEvent[]): Promise<void> {
  const second = await claimNext(cast.runner);
  await play(cast.runner, second, {
    isSilent: true,
    result: { exit: { code: 1, signal: null }, stderrTail: 'API Error: 529 overloaded_error' },
  });
  const { organizationId } = cast.alice;
  const { attemptId, sessionId } = second;
  await change((db) =>
    db.sessionEvent.createMany({
      data: late.map((event, index) => ({
        organizationId,
        sessionId,
        attemptId,
        seq: 1_000 + index,
        kind: event.kind,
        payload: toJson(event),
        isLate: true,
        at: new Date(),
      })),
    }),
  )(cast);
}

async function shown(cast: Cast, id: string, attemptId: string): Promise<GuardDto | undefined> {
  const { sessionId } = await inTransaction(cast.alice, (db) =>
    db.attempt.findFirstOrThrow({ where: { id: attemptId } }),
  );
  const { decisions } = await getSession(cast.alice, encodeId('ses', sessionId));
  const own = decisions.filter((decision) => decision.attemptId === encodeId('att', attemptId));
  const start = own.find(({ kind }) => kind === 'continuation');
  return start?.guards.find((guard) => guard.id === id);
}

it.each(Object.entries(PAIRS))('[ENG-2.1] %s stops, and lets through', async (id, pair) => {
  expect(await guardOf(id, pair.stop)).toMatchObject({ state: 'stopped' });
  expect(await guardOf(id, pair.pass)).toMatchObject({ state: 'passed' });
});

it('[ENG-2.1] every guard of the matrix has such a pair', () => {
  const ids = [...GUARDS, ...RUNNER_CHECKS].map(({ id }) => id);
  expect(Object.keys(PAIRS).sort()).toEqual(ids.toSorted());
});
