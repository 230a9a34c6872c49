import { z } from 'zod';
import { getSession } from '@/lib/insight/sessions/get-session';
import { numberedOf, optionalProject, sessionInput } from '../inputs';
import { decisionBriefSchema, sessionBriefSchema, showDecision, showSession } from '../show-chain';
import { defineTool, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const MAX_ITEMS = 20;
const REPORT_CHARS = 9_000;
const HANDOFF_CHARS = 5_000;

const ref = z.object({ id: z.string(), number: z.number().int(), tier: z.number().int() });

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
    attempts: z.array(
      z.object({
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
      }),
    ),
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
        number: attempt.number,
        purpose: attempt.purpose,
        status: attempt.status,
        end: attempt.exit?.kind ?? null,
        end_text: untrusted('end of the process', attempt.exit?.text, 500),
        runner: attempt.runner ? plainLine(attempt.runner.name) : null,
        cli_version: attempt.cliVersion === null ? null : plainLine(attempt.cliVersion),
        context_tokens: attempt.contextTokens,
        context_window: attempt.contextWindow,
        cost_usd: attempt.costUsd,
        started_at: attempt.startedAt,
        ended_at: attempt.endedAt,
      })),
      total_events: session.lastSeq,
    };
  },
});
