/** Attempts that have ended and wait to be settled, each in an organization of its own. */

import { startConversation } from '@/lib/conversations/manage-conversations';
import { askTurn } from '@/lib/conversations/turns';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { startChain } from '@/lib/engine/chains/start-chain';
import { recordEvents } from '@/lib/engine/record-events';
import { recordResult } from '@/lib/engine/take-result';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '../cast/organization';
import {
  claimNext,
  eventsOf,
  type Played,
  play,
  resultOf,
  wantsHelp,
} from '../cast/scripted-attempt';

export interface CrashFixture {
  organizationId: string;
  alice: TenantScope;
  attemptId: string;
  /** Of the settlement; whole seconds. */
  now: Date;
}

const NOW = new Date('2026-11-21T12:00:00Z');

/** Everything up to the settlement, which is left undone. */
async function endUnsettled(runner: TenantScope, spec: AttemptSpec, played: Played): Promise<void> {
  const events = eventsOf(spec, played).map((event, index) => ({
    seq: index + 1,
    at: NOW.toISOString(),
    event,
  }));
  await recordEvents(runner, [{ attemptId: spec.attemptId, fence: spec.fence, events }], NOW);
  await recordResult(runner, spec.attemptId, resultOf(spec, events.length, played, NOW), NOW);
}

async function startOne(cast: Cast): Promise<void> {
  const input = { projectId: cast.projectId, trigger: 'manual' as const };
  await startChain(cast.alice, input, NOW);
}

const FOUND_DOWN: NonNullable<Played['events']> = [
  {
    kind: 'check_result',
    service: 'web',
    type: 'http',
    target: 'http://127.0.0.1:9/health',
    status: 'down',
    error: 'refused',
    responseTimeMs: null,
  },
];

async function tierOneAsksForHelp(cast: Cast): Promise<[AttemptSpec, Played]> {
  await startOne(cast);
  return [
    await claimNext(cast.runner, NOW),
    { report: wantsHelp(), costUsd: 0.03, events: FOUND_DOWN },
  ];
}

/** Tier 2 did something and is done: the chain ends, and a webhook leaves. */
async function tierTwoFixes(cast: Cast): Promise<[AttemptSpec, Played]> {
  const [first, asks] = await tierOneAsksForHelp(cast);
  await play(cast.runner, first, asks, NOW);
  const played: Played = {
    costUsd: 0.47,
    report: {
      resolved: true,
      actions_taken: [
        { service: 'web', action: 'restart', command: 'docker restart web', outcome: 'done' },
      ],
    },
  };
  return [await claimNext(cast.runner, NOW), played];
}

const REJECTED: Played = {
  isSilent: true,
  contextTokens: 500,
  result: {
    exit: { code: 1, signal: null },
    stderrTail: 'No conversation found with session ID: 0',
    transcriptSeen: false,
  },
};

/** The conversation cannot be resumed: the same session starts again from the handoff. */
async function tierTwoIsRejected(cast: Cast): Promise<[AttemptSpec, Played]> {
  const [first, asks] = await tierOneAsksForHelp(cast);
  await play(cast.runner, first, asks, NOW);
  return [await claimNext(cast.runner, NOW), REJECTED];
}

const QUESTION: NonNullable<Played['events']> = [
  {
    kind: 'question',
    requestId: 'request-1',
    toolUseId: 'use-1',
    questions: [{ question: 'Which one?', header: 'Service', multiSelect: false, options: [] }],
  },
];

/** A turn of a conversation ends with its answer, and what it had asked is closed. */
async function turnIsAnswered(cast: Cast): Promise<[AttemptSpec, Played]> {
  await ask(cast);
  const played = { report: null, text: 'web is well.', costUsd: 0.03, events: QUESTION };
  return [await claimNext(cast.runner, NOW), played];
}

/** A conversation cannot be continued: the same turn starts again from the transcript. */
async function turnIsRejected(cast: Cast): Promise<[AttemptSpec, Played]> {
  const conversationId = await ask(cast);
  const answered = { report: null, text: 'web is well.' };
  await play(cast.runner, await claimNext(cast.runner, NOW), answered, NOW);
  await askTurn(cast.alice, conversationId, { message: 'And db?', forceFresh: false }, NOW);
  return [await claimNext(cast.runner, NOW), REJECTED];
}

async function ask(cast: Cast): Promise<string> {
  const asked = { project: cast.projectSlug, message: 'Is web well?', forceFresh: false };
  return (await startConversation(cast.alice, asked, NOW)).conversationId;
}

const SCENES = {
  escalate: tierOneAsksForHelp,
  finish: tierTwoFixes,
  fallback: tierTwoIsRejected,
  answer: turnIsAnswered,
  'answer again': turnIsRejected,
} as const;
export type SettlementScene = keyof typeof SCENES;

export async function unsettled(scene: SettlementScene): Promise<CrashFixture> {
  const cast = await makeCast({ budgets: { chainUsd: 0.55, dayUsd: 5, monthUsd: null } }, NOW);
  await createEndpoint(
    cast.alice,
    {
      url: 'https://receiver.example/hook',
      description: '',
      eventTypes: ['chain.completed'],
      projectId: null,
    },
    NOW,
  );
  const [spec, played] = await SCENES[scene](cast);
  await endUnsettled(cast.runner, spec, played);
  const { alice } = cast;
  return {
    organizationId: alice.organizationId,
    alice,
    attemptId: spec.attemptId,
    now: NOW,
  };
}
