/** Chains and sessions as tools return them. */
import { z } from 'zod';
import type { ChainItem } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import type { Links } from './links';
import { fieldsFor } from './tool';
import { plainLine, untrusted, untrustedSchema } from './untrusted';

const time = z.string().optional();

export const chainBriefSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  project: z.string().meta({ description: 'Slug.' }),
  url: z.string(),
  trigger: z.string(),
  requested_by: z.string().optional(),
  status: z.string(),
  outcome: z.string().optional().meta({ description: 'Missing while the chain runs.' }),
  outcome_reason: z.string().optional(),
  status_text: untrustedSchema.optional(),
  waits_for: z.string().optional(),
  summary: untrustedSchema.optional(),
  services_affected: untrustedSchema
    .optional()
    .meta({ description: 'Names, some as an agent reported them.' }),
  highest_tier: z.number().int(),
  dry_run: z.boolean(),
  created_at: z.string(),
  ended_at: time,
  duration_ms: z.number().int().optional(),
  cost_usd: z.number(),
  is_cost_estimated: z.boolean(),
});

/** An agent’s summary may be the status of what it ended. */
const STATUS_CHARS = 500;
const MAX_NAMES = 50;

export function showChain(chain: ChainItem, links: Links, summaryChars = 600) {
  const source = `Chain #${chain.number}`;
  return {
    ...fieldsFor(chainBriefSchema, chain),
    project: chain.project.slug,
    url: links.chain(chain.project.slug, chain.number),
    requested_by: chain.requestedBy === null ? null : plainLine(chain.requestedBy),
    status_text: untrusted(`status of ${source}`, chain.statusText, STATUS_CHARS),
    waits_for: chain.waitReason,
    summary: untrusted(`summary of ${source}`, chain.summary, summaryChars),
    services_affected: untrusted(
      `names from ${source}`,
      chain.servicesAffected.slice(0, MAX_NAMES).join(', '),
      STATUS_CHARS,
    ),
    cost_usd: chain.totalCostUsd,
  };
}

export const sessionBriefSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  tier: z.number().int(),
  url: z.string(),
  status: z.string(),
  status_text: untrustedSchema.optional(),
  model: z.string(),
  started_by: z.string().optional().meta({ description: 'fresh, resume or handoff.' }),
  turns: z.number().int(),
  cost_usd: z.number(),
  is_cost_estimated: z.boolean(),
  started_at: time,
  ended_at: time,
  duration_ms: z.number().int().optional(),
});

export function showSession(session: SessionItem, links: Links) {
  return {
    ...fieldsFor(sessionBriefSchema, session),
    url: links.session(session.project.slug, session.number),
    status_text: untrusted(
      `status of Session #${session.number}`,
      session.statusText,
      STATUS_CHARS,
    ),
    model: plainLine(session.model),
    started_by: session.mechanism,
  };
}

export const decisionBriefSchema = z.object({
  kind: z.string(),
  verdict: z.string(),
  reason: z.string(),
  sentence: untrustedSchema.optional(),
  at: z.string(),
});

/** Most say why the next tier started, how, or why none did. */
export function showDecision(decision: {
  kind: string;
  verdict: string;
  reason: string;
  sentence: string;
  at: string;
}) {
  const { kind, verdict, reason, sentence, at } = decision;
  const shown = untrusted('decision', sentence, STATUS_CHARS);
  return { kind, verdict, reason, sentence: shown, at };
}
