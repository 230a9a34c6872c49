import { Check, CircleQuestionMark, Minus, X } from 'lucide-react';
import { ContextLine } from '@/app/_components/sessions/context-line';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { EmptyState } from '@/app/_components/ui/empty-state';
import type { Advisory } from '@/lib/engine/continuation/schema';
import type { DecisionDto, GuardDto, SessionDetail } from '@/lib/insight/sessions/schema';
import { comparedText, factWords } from '../_components/compared-text';
import { loadSession, type SessionParams } from '../_components/load-session';

const TITLES: Record<DecisionDto['kind'], string> = {
  continuation: 'Start',
  escalation: 'Outcome',
  after_end: 'After the session ended',
};

export default async function DecisionPage({ params }: { params: Promise<SessionParams> }) {
  const { session } = await loadSession(params);
  if (session.decisions.length === 0) {
    return (
      <EmptyState isCard title="No decision yet.">
        How a session starts is decided when a runner claims it.
      </EmptyState>
    );
  }
  return (
    <div className="flex max-w-page flex-col gap-6">
      {session.decisions.map((decision) => (
        <Decision key={decision.id} decision={decision} session={session} />
      ))}
    </div>
  );
}

function Decision({ decision, session }: { decision: DecisionDto; session: SessionDetail }) {
  const attempt = session.attempts.find((candidate) => candidate.id === decision.attemptId);
  return (
    <Card
      title={TITLES[decision.kind]}
      note={attempt ? `attempt ${attempt.number}` : null}
      actions={<Time at={decision.at} className="text-meta text-text-3" />}
      isFlush
    >
      <div className="flex flex-col gap-2 px-4 py-3">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {decision.kind === 'continuation' ? (
            <StatusBadge kind="decision" state={decision.verdict as StateOf<'decision'>} />
          ) : null}
          <span className="max-w-prose">{decision.sentence}</span>
          <code className="text-meta text-text-3">{decision.reason}</code>
        </p>
        {decision.context ? <ContextLine context={decision.context} /> : null}
        <Advisories facts={decision.facts} />
        <FactList facts={decision.facts} />
      </div>
      {decision.guards.length > 0 ? <GuardTable guards={decision.guards} /> : null}
    </Card>
  );
}

/** Said in sentences of their own. */
const ELSEWHERE = ['advisories'];

/** Context use and advisories of a decision, beside its guards. */
function FactList({ facts }: { facts: Record<string, unknown> }) {
  const shown = Object.entries(facts).filter(
    ([name, value]) =>
      value !== null && !(Array.isArray(value) && value.length === 0) && !ELSEWHERE.includes(name),
  );
  if (shown.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2 tabular-nums">
      {shown.map(([name, value]) => (
        <span key={name}>{comparedText(name, value)}</span>
      ))}
    </p>
  );
}

const SENTENCES: Record<Advisory, string> = {
  STALE_FACTS: 'The conversation is more than 15 min old, so its facts may be outdated.',
  MODEL_CHANGED: 'A different model continues the conversation.',
  MODEL_EDGE_UNPROVEN: 'Resuming between these two models has not been tested.',
  CACHE_COLD:
    'The conversation is no longer in the provider’s cache, so all its tokens are billed again.',
};

/** What a decision noted without being decided by it. */
function Advisories({ facts }: { facts: Record<string, unknown> }) {
  const given = Array.isArray(facts.advisories) ? facts.advisories : [];
  const known = given.filter((code): code is Advisory => Object.hasOwn(SENTENCES, String(code)));
  if (known.length === 0) return null;
  return (
    <ul aria-label="Noted" className="flex flex-col gap-0.5 text-text-2 text-ui">
      {known.map((code) => (
        <li key={code}>
          {SENTENCES[code]} <code className="text-meta text-text-3">{code}</code>
        </li>
      ))}
    </ul>
  );
}

const LOOKS = {
  passed: { word: 'Passed', icon: Check, mark: 'text-ok-mark', row: '' },
  stopped: { word: 'Decided', icon: X, mark: 'text-wait-mark', row: 'bg-wait-bg' },
  not_checked: { word: 'Not checked', icon: CircleQuestionMark, mark: 'text-text-3', row: '' },
  not_reached: { word: 'Not reached', icon: Minus, mark: 'text-text-3', row: 'text-text-3' },
};

/** Every guard. The first that stopped decided, so later ones were not reached. */
function GuardTable({ guards }: { guards: readonly GuardDto[] }) {
  return (
    <table className="w-full border-line border-t text-ui">
      <caption className="px-4 pt-3 pb-1 text-left font-semibold">
        Guards, in evaluation order
      </caption>
      <thead>
        <tr className="text-left text-meta text-text-3">
          <th scope="col" className="h-8 px-4 font-medium md:w-2/5">
            Guard
          </th>
          <th scope="col" className="w-32 px-3 font-medium">
            Result
          </th>
          <th scope="col" className="px-3 font-medium max-md:hidden">
            Compared
          </th>
        </tr>
      </thead>
      <tbody>
        {guards.map((guard, index) => (
          <GuardRow key={guard.id} guard={guard} place={index + 1} />
        ))}
      </tbody>
    </table>
  );
}

function GuardRow({ guard, place }: { guard: GuardDto; place: number }) {
  const look = LOOKS[guard.state];
  const details = detailsOf(guard);
  return (
    <tr className={cn('border-line border-t align-top', look.row)}>
      <th scope="row" className="px-4 py-1.5 text-left font-normal">
        <span title={`Guard ${guard.id}`} className="mr-2 text-text-3 tabular-nums">
          {place}
        </span>
        {guard.name}
        <span className="block text-meta text-text-2 md:hidden">{details}</span>
      </th>
      <td className="px-3 py-1.5 whitespace-nowrap">
        <look.icon aria-hidden className={cn('mr-1.5 inline size-3.5', look.mark)} />
        {look.word}
      </td>
      <td className="px-3 py-1.5 text-text-2 tabular-nums max-md:hidden">{details}</td>
    </tr>
  );
}

/** The facts that were compared, then those that were not, with the reason. */
function detailsOf({ state, compared, unknown }: GuardDto): string {
  const reasons = [...new Set(Object.values(unknown))].join(' ');
  if (state === 'not_checked') return reasons;
  const facts = Object.entries(compared).map(([name, value]) =>
    Object.hasOwn(unknown, name) ? `${factWords(name)}: not checked` : comparedText(name, value),
  );
  return [...facts, ...(reasons === '' ? [] : [reasons])].join(' · ');
}
