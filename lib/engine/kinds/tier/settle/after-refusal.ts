import { type ClassifiedEnd, joinSentences } from '@/lib/agents/attempt-end';
import { approvalGate } from '@/lib/engine/start-policy/approval-gate';
import { asSentence } from '@/lib/engine/start-policy/gate';
import type { ParsedReport } from '@/lib/protocol/report';
import { startedFor } from './after-failure';
import type { RefusedCommand, SettlementFacts } from './facts';
import type { SettlementStep } from './plan';

/**
 * Ends the chain after a step, because a person has refused a command of the session and the project's
 * settings end the chain then. What the step says about the attempt stays; nothing else starts, except an
 * observe-only check of what may have changed: the chain ends after that.
 */
export function afterRefusal(
  facts: SettlementFacts,
  refused: RefusedCommand,
  step: SettlementStep,
  classified: ClassifiedEnd,
  report: ParsedReport,
): SettlementStep {
  const { next, chainEnd } = step;
  if (next.kind === 'attempt' && next.purpose === 'reconcile') return step;
  // A person has stopped it.
  if (chainEnd?.outcome === 'stopped') return step;
  const { tier } = facts.session;
  const gate = approvalGate({ tier, approval: { kind: 'refused', ...refused } });
  if (gate === null) throw new Error('A refused command closes no gate.');
  const because = `${asSentence(gate.because)} The project’s settings end the chain after that.`;
  const before = next.kind === 'attempt' ? classified.happened : (chainEnd?.statusText ?? '');
  const statusText = joinSentences(before, because);
  const summary = report.ok ? report.report.summary : '';
  const services =
    chainEnd?.servicesAffected ?? step.handoff?.payload.services_affected ?? startedFor(facts);
  return {
    decision: { kind: 'after_end', verdict: 'end', reason: gate.code, sentence: statusText },
    session: sessionAfter(step, statusText, summary),
    handoff: null,
    next: { kind: 'none' },
    chainEnd: {
      outcome: 'needs_human',
      reason: gate.code,
      statusText,
      summary: chainEnd?.summary ?? summary,
      servicesAffected: [...new Set([...services, ...refused.services])],
    },
    notices: [
      // One that announces the next start is not true now.
      ...step.notices.filter(
        ({ message }) => next.kind === 'none' || message !== step.decision.sentence,
      ),
      { level: 'critical', code: gate.code, message: because },
    ],
  };
}

function sessionAfter(
  { next, session }: SettlementStep,
  statusText: string,
  summary: string,
): SettlementStep['session'] {
  switch (next.kind) {
    case 'none':
      return session;
    case 'session':
      return { status: 'completed', statusText: summary || statusText, isEnded: true };
    case 'attempt':
      return { status: 'refused', statusText, isEnded: true };
  }
}
