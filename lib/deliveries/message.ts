/** Messages to people: worded once, sent to every kind of channel. */

import { z } from 'zod';
import { tierToTurnOn } from '@/lib/engine/escalation/reasons';
import { NOTICES } from '@/lib/incidents/notices';
import { subjectOf } from '@/lib/incidents/sentences';
import { formatCost } from '@/lib/platform/format/cost';
import { alertSubjectSchema } from './alert';
import { alertOf } from './alert-of-event';
import { type ChainSummary, noticeOf, type WebhookEvent } from './schema';

const TONES = ['info', 'success', 'warning', 'failure'] as const;

export const messageSchema = z.object({
  title: z.string(),
  /** Paragraphs of plain text. */
  lines: z.array(z.string()),
  link: z.object({ url: z.string(), label: z.string() }).nullable(),
  tone: z.enum(TONES),
  /** Only of messages about an outage: what on-call targets receive. */
  alert: alertSubjectSchema.optional(),
});
export type Message = z.infer<typeof messageSchema>;
type Tone = Message['tone'];

const OUTCOME_TONES: Record<ChainSummary['chain']['outcome'], Tone> = {
  healthy: 'success',
  fixed: 'success',
  findings: 'warning',
  suppressed: 'warning',
  stopped: 'info',
  skipped: 'info',
  needs_human: 'failure',
  failed: 'failure',
  lost: 'failure',
};

const OUTCOME_TITLES: Record<ChainSummary['chain']['outcome'], string> = {
  healthy: 'ended healthy',
  fixed: 'reported a fix',
  findings: 'ended with findings, no action taken',
  suppressed: 'suppressed an escalation',
  stopped: 'was stopped',
  skipped: 'was skipped',
  needs_human: 'needs a human',
  failed: 'failed',
  lost: 'was lost',
};

const APPROVAL_TITLES = {
  'approval.requested': 'waits for your approval',
  'approval.decided': 'has a decision',
  'approval.expired': 'was not decided in time',
} as const;

/**
 * Returns the message for an event. Every event has one, so that a test event looks like a real
 * one.
 */
export function messageOf(event: WebhookEvent): Message {
  const alert = alertOf(event);
  return { ...wordsOf(event), ...(alert ? { alert } : {}) };
}

function wordsOf(event: WebhookEvent): Message {
  const { summary, link, organization } = event.data;
  const to = (label: string) => ({ url: link, label });
  switch (event.type) {
    case 'chain.completed':
    case 'chain.needs_human': {
      const { project, chain, servicesAffected } = event.data;
      const services =
        servicesAffected.length > 0 ? `Services: ${servicesAffected.join(', ')}.` : null;
      return {
        title: `${project.name}: Chain #${chain.number} ${OUTCOME_TITLES[chain.outcome]}`,
        lines: [summary, chain.explanation, services, turnOnLine(chain, link)].filter(
          (line): line is string => !!line,
        ),
        link: to('Open the chain'),
        tone: OUTCOME_TONES[chain.outcome],
      };
    }
    case 'chain.started':
      return {
        title: `${event.data.project.name}: Chain #${event.data.chain.number} started`,
        lines: [summary],
        link: to('Open the chain'),
        tone: 'info',
      };
    case 'chain.escalated':
      return {
        title: `${event.data.project.name}: Chain #${event.data.chain.number} escalated to tier ${event.data.to.tier}`,
        lines: [summary],
        link: to('Open the chain'),
        tone: 'warning',
      };
    case 'approval.requested':
    case 'approval.decided':
    case 'approval.expired': {
      const { project, chain, approval } = event.data;
      const reason = approval.reason === '' ? null : `Why: ${approval.reason}`;
      return {
        title: `${project.name}: Chain #${chain.number} ${APPROVAL_TITLES[event.type]}`,
        lines: [summary, event.type === 'approval.requested' ? reason : null].filter(
          (line): line is string => !!line,
        ),
        link: to('Open the approval'),
        tone: event.type === 'approval.decided' ? 'info' : 'warning',
      };
    }
    case 'session.completed':
      return {
        title: `${event.data.project.name}: Session #${event.data.session.number} ended`,
        lines: [summary, `It cost ${formatCost(event.data.session.costUsd * 1_000_000)}.`],
        link: to('Open the session'),
        tone: 'info',
      };
    case 'budget.warning':
    case 'budget.reached':
      return {
        title: `${event.data.project.name}: ${event.type === 'budget.reached' ? 'budget reached' : '80% of a budget used'}`,
        lines: [summary],
        link: to('Open the project'),
        tone: event.type === 'budget.reached' ? 'failure' : 'warning',
      };
    case 'runner.offline':
      return {
        title: `${organization.name}: runner ${event.data.runner.name} is offline`,
        lines: [summary],
        link: to('Open the runner'),
        tone: 'failure',
      };
    case 'runner.key_shared':
      return {
        title: `${organization.name}: a second host uses the key of runner ${event.data.runner.name}`,
        lines: [summary],
        link: to('Open the runner'),
        tone: 'failure',
      };
    case 'checks.blocked':
      return {
        title: `${event.data.project.name}: nothing is checked`,
        lines: [summary],
        link: to('Open the project'),
        tone: 'failure',
      };
    case 'checks.resumed':
      return {
        title: `${event.data.project.name}: checks run again`,
        lines: [summary],
        link: to('Open the project'),
        tone: 'success',
      };
    case 'webhook.test':
      return {
        title: `${organization.name}: test message`,
        lines: [summary],
        link: to('Open Tierwatch'),
        tone: 'info',
      };
    default: {
      const { project, incident } = event.data;
      const { title, tone } = NOTICES[noticeOf(event)];
      return {
        title: `${project.name}: ${subjectOf(event.data).words}, Incident #${incident.number} ${title}`,
        lines: [summary],
        link: to('Open the incident'),
        tone,
      };
    }
  }
}

/** Where the tier is turned on that the settings kept from acting; null if something else did. */
function turnOnLine(chain: ChainSummary['chain'], chainLink: string): string | null {
  const tier = tierToTurnOn(chain);
  if (tier === null) return null;
  const settings = new URL(`../settings/tiers?tier=${tier}&switch=on`, chainLink);
  return `Turn on tier ${tier} (needs the admin role): ${settings}`;
}
