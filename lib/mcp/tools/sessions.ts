import { z } from 'zod';
import { LOG_STATES, listEvents } from '@/lib/insight/sessions/events';
import { getSession } from '@/lib/insight/sessions/get-session';
import { eventText } from '@/lib/insight/sessions/write-log';
import { numberedOf, optionalProject, sessionInput } from '../inputs';
import { decisionBriefSchema, sessionBriefSchema, showDecision, showSession } from '../show-chain';
import { defineTool, fieldsFor, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

/** Selects a part of a session's log by event and character, so that a caller can page through the whole log. */

/** Of one result. As JSON, a character can take two. */
const MAX_LOG_CHARS = 18_000;

interface LoggedEvent {
  /** Sequence number. */
  seq: number;
  /** As lines of a text file. */
  text: string;
}

export interface LogWindow {
  text: string;
  firstEvent: number | null;
  lastEvent: number | null;
  /** Where the rest begins; null if every given event is in the text. */
  next: { event: number; offset: number } | null;
}

/**
 * Returns the text of as many events as fit. One that doesn't fit stays whole for the next window,
 * unless it is the first: then it is cut, and the next window continues inside.
 *
 * @param offset characters of the first event to leave out
 */
export function logWindow(
  events: readonly LoggedEvent[],
  offset: number,
  maxChars = MAX_LOG_CHARS,
): LogWindow {
  const [first, ...others] = events;
  if (!first) return { text: '', firstEvent: null, lastEvent: null, next: null };
  const rest = first.text.slice(offset);
  if (rest.length > maxChars) {
    const text = rest.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
    const next = { event: first.seq, offset: offset + text.length };
    return { text, firstEvent: first.seq, lastEvent: first.seq, next };
  }
  let text = rest;
  let last = first;
  for (const event of others) {
    if (text.length + event.text.length > maxChars) {
      const next = { event: event.seq, offset: 0 };
      return { text, firstEvent: first.seq, lastEvent: last.seq, next };
    }
    text += event.text;
    last = event;
  }
  return { text, firstEvent: first.seq, lastEvent: last.seq, next: null };
}

const MAX_ITEMS = 20;
const REPORT_CHARS = 9_000;
const HANDOFF_CHARS = 5_000;

const ref = z.object({ id: z.string(), number: z.number().int(), tier: z.number().int() });

const attemptBriefSchema = z.object({
  number: z.number().int(),
  purpose: z.string(),
  status: z.string(),
  end: z.string().optional(),
  end_text: untrustedSchema.optional(),
  runner: z.string().optional(),
  cli_version: z.string().optional(),
  context_tokens: z.number().int().optional(),
  context_window: z.number().int().optional(),
  cost_usd: z.number(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
});

export const getSessionTool = defineTool({
  name: 'get_session',
  title: 'Get a session',
  description:
    'Use it to read what one tier reported: its findings, actions and handoff, how its processes ended, and what it cost. For what the agent saw and did, call read_log. Identify the session as "Session #8" with the project, by id (ses_…), or by URL. Turns of conversations aren’t sessions of a chain: call get_answer.',
  scopes: ['sessions:read'],
  annotations: READS,
  input: z.strictObject({ session: sessionInput, project: optionalProject }),
  output: sessionBriefSchema.extend({
    project: z.string(),
    chain: z.object({ id: z.string(), number: z.number().int(), status: z.string() }),
    parent: ref.optional(),
    child: ref.optional(),
    report: untrustedSchema.optional(),
    handoff: untrustedSchema.optional().meta({ description: 'What it handed to the next tier.' }),
    decisions: z.array(decisionBriefSchema),
    attempts: z.array(attemptBriefSchema),
    total_events: z.number().int().meta({ description: 'Of its log, which read_log returns.' }),
  }),
  run: async (call, { session: input, project }) => {
    const session = await getSession(call.scope, await numberedOf(call, 'session', input, project));
    const source = `Session #${session.number}`;
    const asText = (value: unknown) => (value === null ? null : JSON.stringify(value, null, 1));
    return {
      ...showSession(session, call.links),
      project: session.project.slug,
      chain: { id: session.chainId, number: session.chainNumber, status: session.chainStatus },
      parent: session.parent,
      child: session.child,
      report: untrusted(`report of ${source}`, asText(session.report), REPORT_CHARS),
      handoff: untrusted(
        `handoff of ${source}`,
        asText(session.handoff?.payload ?? null),
        HANDOFF_CHARS,
      ),
      decisions: session.decisions.slice(-MAX_ITEMS).map(showDecision),
      attempts: session.attempts.slice(-MAX_ITEMS).map((attempt) => ({
        ...fieldsFor(attemptBriefSchema, attempt),
        end: attempt.exit?.kind ?? null,
        end_text: untrusted('end of the process', attempt.exit?.text, 500),
        runner: attempt.runner ? plainLine(attempt.runner.name) : null,
        cli_version: attempt.cliVersion === null ? null : plainLine(attempt.cliVersion),
      })),
      total_events: session.lastSeq,
    };
  },
});

const MAX_EVENTS = 200;

export const readLogTool = defineTool({
  name: 'read_log',
  title: 'Read a session’s log',
  description: `Use it to see what an agent read, ran and wrote, event by event. Returns at most ${MAX_LOG_CHARS.toLocaleString('en')} characters: continue with next_event and next_offset, or give a negative from_event for the end (-20: the last 20 events). Events have numbers from 1 to total_events. Identify the session as "Session #8" with the project, by id (ses_…), or by URL.`,
  scopes: ['sessions:read'],
  annotations: READS,
  input: z.strictObject({
    session: sessionInput,
    project: optionalProject,
    from_event: z
      .number()
      .int()
      .default(1)
      .meta({ description: 'Number of the first event; negative: counted from the end.' }),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'Characters of the first event to leave out: next_offset.' }),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_EVENTS)
      .default(50)
      .meta({ description: `Events, at most ${MAX_EVENTS}.` }),
  }),
  output: z.object({
    session: z.string(),
    status: z.string(),
    is_ended: z.boolean(),
    log: untrustedSchema.optional().meta({ description: 'Missing if there are no events.' }),
    first_event: z.number().int().optional(),
    last_event: z.number().int().optional(),
    total_events: z.number().int(),
    next_event: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Give it as from_event to continue; null at the end.' }),
    next_offset: z.number().int().optional(),
    log_state: z
      .enum(LOG_STATES)
      .meta({ description: 'deleted_by_retention: the events are no longer stored.' }),
  }),
  run: async (call, { session: input, project, from_event: from, offset, limit }) => {
    const { scope } = call;
    const reference = await numberedOf(call, 'session', input, project);
    const id = typeof reference === 'string' ? reference : (await getSession(scope, reference)).id;
    const total = from < 0 ? (await listEvents(scope, id, { limit: 1 })).lastSeq : 0;
    const first = Math.max(1, from < 0 ? total + 1 + from : from);
    const page = await listEvents(scope, id, { after: first - 1, limit });
    const shown = page.events.map((event) => ({ seq: event.seq, text: eventText(event) }));
    const window = logWindow(shown, offset);
    const after = shown.at(-1)?.seq ?? page.lastSeq;
    const next = window.next ?? (after < page.lastSeq ? { event: after + 1, offset: 0 } : null);
    return {
      session: id,
      status: page.status,
      is_ended: page.isEnded,
      log: untrusted('log of the session', window.text, MAX_LOG_CHARS),
      first_event: window.firstEvent,
      last_event: window.lastEvent,
      total_events: page.lastSeq,
      next_event: next?.event ?? null,
      next_offset: next && next.offset > 0 ? next.offset : null,
      log_state: page.logState,
    };
  },
});
