import { describe, expect, it } from 'vitest';
import type { InitEvent, ResultEvent } from '@/lib/protocol/events';
import { ATTEMPT_ENDS, type AttemptEnd, type AttemptEndFacts, joinSentences } from '../attempt-end';
import { classifyAttemptEnd } from './classify';
import { fixtureEvents, fixtureText, initOf, resultsOf } from './fixtures/fixture';

const OWN = '22222222-2222-4222-8222-222222222222';
const PARENT = '11111111-1111-4111-8111-111111111111';

const init: InitEvent = {
  kind: 'init',
  cliSessionId: OWN,
  cliVersion: '2.1.330',
  model: 'claude-haiku-5-5',
  tools: [],
  mcpServers: [],
  permissionMode: 'dontAsk',
  cwd: '/srv/work',
};

function result(changes: Partial<ResultEvent> = {}): ResultEvent {
  return {
    kind: 'result',
    subtype: 'success',
    isError: false,
    apiErrorStatus: null,
    terminalReason: 'completed',
    stopReason: 'end_turn',
    cliSessionId: OWN,
    numTurns: 1,
    durationMs: 100,
    durationApiMs: 50,
    totalCostUsd: 0.01,
    modelUsage: {},
    text: 'done',
    errors: [],
    structuredOutput: { summary: 'done' },
    permissionDenials: [],
    ...changes,
  };
}

/** As the CLIs print it. */
const REFUSED_BY_GATEWAY =
  'Failed to authenticate. API Error: 403 tierwatch: this agent has no tool of type advisor_20260301, which runs at the provider.';

const failed = (changes: Partial<ResultEvent>) => result({ isError: true, ...changes });

function facts(changes: Partial<AttemptEndFacts> = {}): AttemptEndFacts {
  return {
    start: {
      purpose: 'tier',
      model: 'haiku',
      cliSessionId: OWN,
      continuation: { mode: 'fresh' },
      limits: { timeoutSeconds: 300, stallSeconds: 180, maxTurns: 40, maxBudgetUsd: 0.5 },
    },
    runner: 'eu-1',
    startError: null,
    exit: { code: 0, signal: null },
    stopCause: null,
    stderrTail: '',
    transcriptSeen: true,
    init,
    results: [],
    hasValidReport: true,
    isReportRequired: true,
    rateLimitResetsAt: null,
    rateLimitRetries: 2,
    endedAt: new Date('2026-11-21T20:00:00Z'),
    ...changes,
  };
}

function resumed(changes: Partial<AttemptEndFacts> = {}): AttemptEndFacts {
  const base = facts(changes);
  const continuation = { mode: 'resume', parentCliSessionId: PARENT } as const;
  return { ...base, start: { ...base.start, continuation } };
}

function asking(changes: Partial<AttemptEndFacts> = {}): AttemptEndFacts {
  const base = facts({ isReportRequired: false, ...changes });
  return { ...base, start: { ...base.start, purpose: 'ask' } };
}

const notFound = { errors: [`No conversation found with session ID: ${PARENT}`] };
/** A turn of a conversation: its answer is the result's text. */
const asked = { hasValidReport: false, isReportRequired: false };
const NOTICE = 'Prompt is too long · the request is ~214000 tokens (limit 200000)';
const startError = (
  code:
    | 'missing'
    | 'disk_full'
    | 'seal_unavailable'
    | 'runner_restarted'
    | 'version'
    | 'work_dir_changed'
    | 'transcript_changed'
    | 'agent_changed',
) => ({
  init: null,
  exit: null,
  transcriptSeen: false,
  startError: { code, message: 'the program is missing' },
});

/** An end, and beside it what looks like it but is another. */
const TABLE: [string, AttemptEndFacts, AttemptEnd, string, string][] = [
  ['a report', facts({ results: [result()] }), 'completed', 'kept', 'none'],
  [
    'no report needed',
    facts({ results: [result()], hasValidReport: false, isReportRequired: false }),
    'completed',
    'kept',
    'none',
  ],
  [
    'only the last result counts',
    facts({ results: [failed({}), result()] }),
    'completed',
    'kept',
    'none',
  ],
  [
    'a good result before a bad one',
    facts({ results: [result(), failed({ apiErrorStatus: 529 })] }),
    'overloaded',
    'kept',
    'after',
  ],
  [
    'finished as the time ran out',
    facts({ stopCause: 'timed_out', results: [result()] }),
    'completed',
    'kept',
    'none',
  ],
  [
    'finished, but stopped by someone',
    facts({ stopCause: 'operator', results: [result()] }),
    'stopped',
    'kept',
    'none',
  ],

  [
    'unknown id, told by the result',
    resumed({ init: null, results: [failed({ ...notFound, numTurns: 0 })] }),
    'resume_rejected',
    'retired',
    'once',
  ],
  [
    'unknown id, told on stderr alone',
    resumed({ init: null, exit: { code: 1, signal: null }, stderrTail: notFound.errors[0] ?? '' }),
    'resume_rejected',
    'retired',
    'once',
  ],
  [
    'a resume without a turn, a request or a token',
    resumed({
      results: [failed({ subtype: 'error_during_execution', numTurns: 0, durationApiMs: 0 })],
    }),
    'resume_rejected',
    'retired',
    'once',
  ],
  [
    'the phrase in a start that resumed nothing',
    facts({ results: [failed({ ...notFound, durationApiMs: 5 })] }),
    'unknown',
    'kept',
    'once',
  ],
  [
    "the phrase in the agent's own answer",
    resumed({ results: [result({ text: notFound.errors[0] ?? '' })] }),
    'completed',
    'kept',
    'none',
  ],

  [
    'too long for the window',
    facts({ results: [failed({ terminalReason: 'prompt_too_long', apiErrorStatus: 400 })] }),
    'context_exhausted',
    'retired',
    'once',
  ],
  [
    'the notice as the answer of a success',
    facts({ results: [result({ text: 'Prompt is too long' })] }),
    'context_exhausted',
    'retired',
    'once',
  ],
  [
    'an answer that speaks of it',
    facts({ results: [result({ text: 'The log says: Prompt is too long' })] }),
    'completed',
    'kept',
    'none',
  ],
  [
    '[CNV-3.3] the notice where words are the answer, on a resumed turn',
    resumed({ ...asked, results: [result({ text: NOTICE, stopReason: 'stop_sequence' })] }),
    'context_exhausted',
    'retired',
    'once',
  ],
  [
    '[CNV-3.3] the notice as if the model had said it',
    resumed({ ...asked, results: [result({ text: NOTICE })] }),
    'context_exhausted',
    'retired',
    'once',
  ],
  [
    '[CNV-3.3] a success whose terminal reason says so',
    resumed({ ...asked, results: [result({ text: '', terminalReason: 'prompt_too_long' })] }),
    'context_exhausted',
    'retired',
    'once',
  ],
  [
    '[CNV-3.3] an answer that begins with the words of the notice and continues',
    resumed({ ...asked, results: [result({ text: 'Prompt is too long means: start again.' })] }),
    'completed',
    'kept',
    'none',
  ],
  [
    '[CNV-3.2] "no conversation found" inside a successful answer',
    resumed({
      ...asked,
      stderrTail: `a hook said: ${notFound.errors[0]}`,
      results: [result({ text: `The log says: ${notFound.errors[0]}` })],
    }),
    'completed',
    'kept',
    'none',
  ],
  [
    '[CNV-3.2] the same words as the error of a turn that was never begun',
    resumed({ ...asked, init: null, transcriptSeen: false, results: [failed(notFound)] }),
    'resume_rejected',
    'retired',
    'once',
  ],

  [
    'a history the API refuses',
    resumed({
      results: [
        failed({
          apiErrorStatus: 400,
          text: 'API Error: 400 messages.3: thinking blocks cannot be modified',
        }),
      ],
    }),
    'history_unreplayable',
    'retired',
    'once',
  ],
  [
    'the same in a first turn',
    facts({ results: [failed({ apiErrorStatus: 400, text: 'API Error: 400 messages.3: bad' })] }),
    'bad_request',
    'kept',
    'none',
  ],
  [
    'another 400 on a resumed run',
    resumed({
      results: [failed({ apiErrorStatus: 400, text: 'API Error: 400 max_tokens is too large' })],
    }),
    'bad_request',
    'kept',
    'none',
  ],

  ['401', facts({ results: [failed({ apiErrorStatus: 401 })] }), 'auth', 'kept', 'none'],
  [
    'no key',
    facts({ results: [failed({ text: 'Not logged in · Please run /login' })] }),
    'auth',
    'kept',
    'none',
  ],
  [
    'no credit',
    facts({ results: [failed({ apiErrorStatus: 400, text: 'Credit balance is too low' })] }),
    'auth',
    'kept',
    'none',
  ],
  ['404', facts({ results: [failed({ apiErrorStatus: 404 })] }), 'bad_request', 'kept', 'none'],
  [
    'refused by the gateway',
    facts({ results: [failed({ apiErrorStatus: 403, text: REFUSED_BY_GATEWAY })] }),
    'bad_request',
    'kept',
    'none',
  ],

  ['429', facts({ results: [failed({ apiErrorStatus: 429 })] }), 'rate_limited', 'kept', 'after'],
  ['529', facts({ results: [failed({ apiErrorStatus: 529 })] }), 'overloaded', 'kept', 'after'],
  ['500', facts({ results: [failed({ apiErrorStatus: 500 })] }), 'overloaded', 'kept', 'after'],
  [
    'connection refused',
    facts({
      results: [failed({ text: 'API Error: Unable to connect to API (ConnectionRefused)' })],
    }),
    'unreachable',
    'kept',
    'after',
  ],
  [
    'an error without a status or a known text',
    facts({ results: [failed({ text: 'something new' })] }),
    'unknown',
    'kept',
    'once',
  ],
  [
    'the same on a resumed run',
    resumed({ results: [failed({ text: 'something new' })] }),
    'unknown',
    'retired',
    'once',
  ],

  [
    'refusal',
    facts({ results: [failed({ stopReason: 'refusal' })] }),
    'refused_by_model',
    'retired',
    'none',
  ],
  [
    'turns',
    facts({ results: [failed({ subtype: 'error_max_turns' })] }),
    'max_turns',
    'kept',
    'none',
  ],
  [
    'budget',
    facts({ results: [failed({ subtype: 'error_max_budget_usd' })] }),
    'max_budget',
    'kept',
    'none',
  ],
  [
    '[BND-4.2] a command that waits for approval',
    facts({ stopCause: 'approval', exit: { code: 143, signal: null } }),
    'waiting_for_approval',
    'kept',
    'none',
  ],
  [
    '[BND-4.2] finished before its command was given up',
    facts({ stopCause: 'approval', results: [result()] }),
    'completed',
    'kept',
    'none',
  ],
  [
    'no report',
    facts({ results: [result({ structuredOutput: null })], hasValidReport: false }),
    'report_missing',
    'kept',
    'once',
  ],
  [
    'a report that never fitted',
    facts({ results: [failed({ subtype: 'error_max_structured_output_retries' })] }),
    'report_missing',
    'kept',
    'once',
  ],

  ['stalled', facts({ stopCause: 'stalled' }), 'stalled', 'kept', 'once'],
  [
    'timed out',
    facts({
      stopCause: 'timed_out',
      results: [failed({ terminalReason: 'aborted_tools', subtype: 'error_during_execution' })],
    }),
    'timed_out',
    'kept',
    'none',
  ],
  ['stopped by someone', facts({ stopCause: 'operator' }), 'stopped', 'kept', 'none'],
  ['stopped by a cooldown', facts({ stopCause: 'cooldown' }), 'stopped', 'kept', 'none'],
  ['tools it must not have', facts({ stopCause: 'surplus_tools' }), 'start_failed', 'none', 'none'],
  ['the runner went down', facts({ stopCause: 'runner_shutdown' }), 'lost', 'kept', 'once'],
  ['the runner restarted', facts(startError('runner_restarted')), 'lost', 'none', 'once'],
  ['no exit known', facts({ exit: null }), 'lost', 'kept', 'once'],

  [
    'SIGKILL from elsewhere',
    facts({ exit: { code: null, signal: 'SIGKILL' } }),
    'killed',
    'kept',
    'once',
  ],
  [
    'SIGTERM from elsewhere',
    facts({ exit: { code: 143, signal: null } }),
    'killed',
    'kept',
    'once',
  ],
  [
    'an interrupt in a request: code 0, nothing printed',
    facts({ exit: { code: 0, signal: null } }),
    'killed',
    'kept',
    'once',
  ],
  [
    'code 1 and nothing printed',
    facts({ exit: { code: 1, signal: null } }),
    'crashed',
    'kept',
    'once',
  ],
  [
    'killed before it began',
    facts({ init: null, transcriptSeen: false, exit: { code: null, signal: 'SIGKILL' } }),
    'killed',
    'none',
    'once',
  ],

  ['no program', facts(startError('missing')), 'start_failed', 'none', 'none'],
  [
    '[ENG-2.5] a flag it does not know',
    facts({
      init: null,
      transcriptSeen: false,
      exit: { code: 1, signal: null },
      stderrTail: "error: unknown option '--x'",
    }),
    'agent_changed',
    'none',
    'after',
  ],
  [
    'an id in use',
    facts({
      init: null,
      transcriptSeen: false,
      exit: { code: 1, signal: null },
      stderrTail: `Error: Session ID ${OWN} is already in use.`,
    }),
    'start_failed',
    'none',
    'once',
  ],
  [
    '[CNV-2.1] another work directory',
    resumed(startError('work_dir_changed')),
    'work_dir_changed',
    'retired',
    'once',
  ],
  [
    '[ENG-2.3] a transcript that was changed',
    resumed(startError('transcript_changed')),
    'transcript_changed',
    'retired',
    'once',
  ],
  [
    '[ENG-2.5] another agent than the one that was evaluated',
    resumed(startError('agent_changed')),
    'agent_changed',
    'none',
    'after',
  ],
  [
    '[FLT-4.2] a sealed copy that can’t be fetched or verified',
    resumed(startError('seal_unavailable')),
    'seal_unavailable',
    'retired',
    'once',
  ],
  ['no space at the start', facts(startError('disk_full')), 'disk_full', 'none', 'none'],
  [
    'no space later',
    facts({
      exit: { code: 1, signal: null },
      stderrTail: 'ENOSPC: no space left on device, write',
    }),
    'disk_full',
    'none',
    'none',
  ],
  [
    'the runner saw the disk fill up',
    facts({ stopCause: 'disk_full' }),
    'disk_full',
    'none',
    'none',
  ],
];

describe('ends and their neighbours', () => {
  it.each(TABLE)('%s', (_, given, end, pointer, retry) => {
    const classified = classifyAttemptEnd(given);
    expect([classified.end, classified.pointer, classified.retry.kind]).toEqual([
      end,
      pointer,
      retry,
    ]);
  });

  it('the table has every end', () => {
    expect(new Set(TABLE.map((row) => row[2]))).toEqual(new Set(ATTEMPT_ENDS));
  });

  /** What follows by itself, or what a person did, needs no advice. */
  const NO_ADVICE: readonly AttemptEnd[] = [
    'completed',
    'stopped',
    'lost',
    'overloaded',
    'resume_rejected',
    'work_dir_changed',
    'agent_changed',
    'history_unreplayable',
  ];

  it('every end says in whole sentences what happened and what to do, never what follows', () => {
    for (const [, given, end] of TABLE) {
      const { happened, advice } = classifyAttemptEnd(given);
      expect(happened).toMatch(/^[A-Z].*[.]$/s);
      expect(advice, end).toMatch(NO_ADVICE.includes(end) ? /^$|^[A-Z].*[.]$/s : /^[A-Z].*[.]$/s);
      const text = joinSentences(happened, advice);
      expect(text).not.toMatch(/please|sorry|oops|successfully|simply|undefined|null/i);
      expect(text).not.toMatch(/next (try|attempt)|starts? (again|from)/);
    }
  });

  it('of a turn nothing is said that holds for tiers alone', () => {
    for (const [, given, end] of TABLE) {
      if (end === 'report_missing') continue;
      const start = { ...given.start, purpose: 'ask' as const };
      const { happened, advice } = classifyAttemptEnd({ ...given, start, isReportRequired: false });
      const own = given.results.map(({ text }) => text ?? '').join();
      const text = joinSentences(happened, advice).replace(own, '');
      expect(text).not.toMatch(/this tier|hands? ?off|report|run again/i);
    }
  });
});

describe('the captures', () => {
  it.each([
    ['result_success.json', 'completed'],
    ['resume_3_third_with_tool.json', 'completed'],
    ['structured_ok.json', 'completed'],
    ['stream_tools.jsonl', 'completed'],
    ['stream_retry_529.jsonl', 'completed'],
    ['stream_fallback_model.jsonl', 'completed'],
    ['stream_background_two_results.jsonl', 'completed'],
    ['stream_permission_denied.jsonl', 'completed'],
    ['stream_compact_reactive.jsonl', 'completed'],
    ['stream_structured_retry.jsonl', 'completed'],
    ['error_api_400.json', 'bad_request'],
    ['error_api_401.json', 'auth'],
    ['error_api_403.json', 'auth'],
    ['error_api_404_model.json', 'bad_request'],
    ['error_api_429.json', 'rate_limited'],
    ['stream_rate_limit_rejected.jsonl', 'rate_limited'],
    ['error_api_500.json', 'overloaded'],
    ['error_api_529.json', 'overloaded'],
    ['error_connection_refused.json', 'unreachable'],
    ['error_timeout.json', 'unreachable'],
    ['error_max_budget.json', 'max_budget'],
    ['error_max_turns.json', 'max_turns'],
    ['error_not_logged_in.json', 'auth'],
    ['error_prompt_too_long.json', 'context_exhausted'],
    ['error_refusal.json', 'refused_by_model'],
    ['structured_error_max_retries.json', 'report_missing'],
    ['sigint_during_tool.json', 'killed'],
  ] as const)('%s: %s', (name, end) => {
    const events = fixtureEvents(name);
    const given = facts({ init: initOf(events), results: resultsOf(events) });
    expect(classifyAttemptEnd(given).end).toBe(end);
  });

  it('structured_missing_but_success.json: report_missing, though it calls itself a success', () => {
    const results = resultsOf(fixtureEvents('structured_missing_but_success.json'));
    expect(classifyAttemptEnd(facts({ results, hasValidReport: false })).end).toBe(
      'report_missing',
    );
  });

  it('[RES-1.1] resume_unknown_id.jsonl: a rejected start makes no pointer', () => {
    const events = fixtureEvents('resume_unknown_id.jsonl');
    const given = resumed({ init: null, transcriptSeen: false, results: resultsOf(events) });
    expect(classifyAttemptEnd(given)).toMatchObject({ end: 'resume_rejected', pointer: 'retired' });
  });

  it.each(['resume_unknown_id.json-mode.txt', 'resume_garbage_file.txt'])('%s', (name) => {
    const given = resumed({
      init: null,
      transcriptSeen: false,
      exit: { code: 1, signal: null },
      stderrTail: fixtureText(name),
    });
    expect(classifyAttemptEnd(given).end).toBe('resume_rejected');
  });

  it('session_id_in_use.txt: a new id is worth another try', () => {
    const given = facts({
      init: null,
      transcriptSeen: false,
      exit: { code: 1, signal: null },
      stderrTail: fixtureText('session_id_in_use.txt'),
    });
    expect(classifyAttemptEnd(given)).toMatchObject({
      end: 'start_failed',
      retry: { kind: 'once' },
    });
  });
});

describe('details', () => {
  it.each([
    ['aborted_tools', true],
    ['aborted_streaming', false],
    ['completed', false],
  ])('[ENG-1.2] %s: was a tool call interrupted?', (terminalReason, expected) => {
    const results = [failed({ terminalReason })];
    const end = classifyAttemptEnd(facts({ stopCause: 'stalled', results }));
    expect(end).toMatchObject({ end: 'stalled', isCallInterrupted: expected });
  });

  it('a conversation is kept only if init confirmed our id and its file is on disk', () => {
    const good = facts({ results: [result()] });
    expect(classifyAttemptEnd(good).pointer).toBe('kept');
    expect(classifyAttemptEnd({ ...good, transcriptSeen: false }).pointer).toBe('none');
    expect(classifyAttemptEnd({ ...good, init: null }).pointer).toBe('none');
    const other = { ...init, cliSessionId: PARENT };
    expect(classifyAttemptEnd({ ...good, init: other }).pointer).toBe('none');
  });

  it.each([
    ['that the CLI retried', null, 2, 60, "The reset time isn't known."],
    // It does that for a long retry-after, and does not report how long.
    [
      'that the CLI did not retry',
      null,
      0,
      900,
      "asked for a longer wait than the agent's CLI supports. The reset time isn't known.",
    ],
    ['that resets in 10 s', 10, 0, 60, 'resets at 2026-11-21 20:00 UTC'],
    ['that resets in 10 min', 600, 2, 600, 'resets at 2026-11-21 20:10 UTC'],
    ['that resets in 11 days', 1_000_000, 0, 21_600, 'resets at 2026-12-03 09:46 UTC'],
  ])('a rate limit %s', (_title, inSeconds, rateLimitRetries, seconds, words) => {
    const endedAt = new Date('2026-11-21T20:00:00Z');
    const rateLimitResetsAt = inSeconds === null ? null : endedAt.getTime() / 1_000 + inSeconds;
    const limited = { rateLimitResetsAt, rateLimitRetries, endedAt };
    const given = facts({ results: [failed({ apiErrorStatus: 429 })], ...limited });
    const { retry, happened } = classifyAttemptEnd(given);
    expect(retry).toEqual({ kind: 'after', seconds });
    expect(happened).toContain(words);
  });

  it.each([
    [
      'rejected',
      resumed({ init: null, results: [failed({ ...notFound, numTurns: 0 })] }),
      "Couldn't continue the conversation: runner eu-1 has no conversation 11111111….",
    ],
    [
      '401',
      facts({ results: [failed({ apiErrorStatus: 401 })] }),
      'The model provider refused the key of runner eu-1 (401). Replace the key on that host, then run again.',
    ],
    [
      'stalled',
      facts({ stopCause: 'stalled' }),
      'No output for 3 min, so the process was stopped. Check its last call, or raise the stall timeout of this tier.',
    ],
    [
      '529',
      facts({ results: [failed({ apiErrorStatus: 529 })] }),
      'The provider is overloaded (529).',
    ],
    [
      'all turns of a turn of a conversation',
      asking({ results: [failed({ subtype: 'error_max_turns' })] }),
      'The agent used all 40 turns without finishing. Raise the turn limit of tier 1, or narrow its task.',
    ],
    [
      'no such model, of a conversation',
      asking({ results: [failed({ apiErrorStatus: 404 })] }),
      'The provider has no model haiku for this key (404). Choose another model for this agent.',
    ],
  ])('says what happened and what to do: %s', (_, given, text) => {
    const { happened, advice } = classifyAttemptEnd(given);
    expect(joinSentences(happened, advice)).toBe(text);
  });
});

it('[HLD-2.2] a refusal of the gateway reads as one, and blames no key', () => {
  const results = [failed({ apiErrorStatus: 403, text: REFUSED_BY_GATEWAY })];
  const { end, happened, advice } = classifyAttemptEnd(facts({ results }));
  expect(end).toBe('bad_request');
  expect(happened).toBe(
    'The gateway of runner eu-1 refused the request to the model: this agent has no tool of type advisor_20260301, which runs at the provider.',
  );
  expect(advice).toMatch(
    /^Check the model of .* and the version of Claude Code on the runner’s host\.$/,
  );
});
