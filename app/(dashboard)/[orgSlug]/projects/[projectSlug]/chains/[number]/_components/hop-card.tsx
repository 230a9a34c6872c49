import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { ContextLine } from '@/app/_components/sessions/context-line';
import { Unknown } from '@/app/_components/status/cost';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { TextLink } from '@/app/_components/ui/link';
import { premiumLabel } from '@/lib/insight/chains/escalation-words';
import type { EscalationDto } from '@/lib/insight/chains/schema';
import type { DecisionDto, HandoffDto, SessionItem } from '@/lib/insight/sessions/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { formatCount } from '@/lib/platform/format/count';

interface HopCardProps {
  from: SessionItem;
  to: SessionItem;
  /** Of the session below: why it handed up. */
  escalation: DecisionDto | null;
  /** How each attempt of the session above was started; a fallback has two. */
  starts: readonly DecisionDto[];
  handoff: HandoffDto | null;
  /** What resuming was worth, of every escalation of the chain. */
  values: readonly EscalationDto[];
  root: string;
}

/** From one tier to the next: why, by what means, what was weighed, and what it was worth. */
export function HopCard({ from, to, escalation, starts, handoff, values, root }: HopCardProps) {
  const value = values.find((each) => each.toSessionId === to.id);
  return (
    <section
      aria-label={`From Session #${from.number} to Session #${to.number}`}
      className="flex flex-col gap-2 border-line border-t px-4 py-3 first:border-t-0"
    >
      <h3 className="flex flex-wrap items-center gap-2 text-card tabular-nums">
        Session #{from.number}
        <ArrowRight aria-label="to" className="size-4 text-text-3" />
        Session #{to.number}
        {starts.length === 0 ? <StatusBadge kind="decision" state="wait" /> : null}
      </h3>
      {escalation ? <p>{escalation.sentence}</p> : null}
      {starts.map((start, index) => (
        <div key={start.id} className="flex flex-col gap-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <StatusBadge kind="decision" state={start.verdict as StateOf<'decision'>} />
            {starts.length > 1 ? (
              <span className="text-meta text-text-3">attempt {index + 1}</span>
            ) : null}
            <span>{start.sentence}</span>
            <code className="text-meta text-text-3">{start.reason}</code>
          </p>
          {start.context ? <ContextLine context={start.context} /> : null}
        </div>
      ))}
      {starts.length === 0 ? (
        <p className="text-text-2">
          {to.statusText || 'How it continues is decided when a runner claims it.'}
        </p>
      ) : null}
      {value && starts.length > 0 ? (
        <HopValue
          value={value}
          fromHref={`${root}/sessions/${from.number}`}
          toHref={`${root}/sessions/${to.number}`}
        />
      ) : null}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-ui">
        {starts.length > 0 ? (
          <TextLink href={`${root}/sessions/${to.number}/decision`}>All checks</TextLink>
        ) : null}
        {handoff ? (
          <TextLink href={`${root}/sessions/${from.number}/handoff`}>Handoff</TextLink>
        ) : null}
        <TextLink href={`${root}/sessions/${to.number}/command`}>
          What tier {to.tier} received
        </TextLink>
      </p>
    </section>
  );
}

const MICROS = 1_000_000;

interface HopValueProps {
  value: EscalationDto;
  /** Of the two sessions' logs. */
  fromHref: string;
  toHref: string;
}

/** What resuming saved and cost at one escalation, how that is computed, and what was done twice. */
function HopValue({ value, fromHref, toHref }: HopValueProps) {
  const { premiumUsd, savingUsd, netSavingUsd } = value;
  const isResumed = premiumUsd !== null || savingUsd !== null;
  return (
    <details className="rounded-control bg-sunken px-3 py-2 text-ui">
      <summary className="cursor-pointer">
        {netSavingUsd === null ? null : <>{netWords(netSavingUsd)} </>}
        <RepeatedSummary value={value} />
      </summary>
      <dl className="mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2">
        <Line label="Saved by not looking again" basis={value.savingBasis}>
          <Estimate usd={savingUsd} unknown={value.savingBasis} />
        </Line>
        <Line label={premiumLabel(premiumUsd ?? 0)} basis={value.premiumBasis}>
          <Estimate
            usd={premiumUsd === null ? null : Math.abs(premiumUsd)}
            unknown={value.premiumBasis}
          />
        </Line>
      </dl>
      {isResumed ? (
        <p className="mt-2 text-meta text-text-3">
          Estimates at list prices: the start from the handoff that this is compared with never
          happened.
        </p>
      ) : null}
      <RepeatedCalls value={value} fromHref={fromHref} toHref={toHref} />
    </details>
  );
}

/** `Resuming saved est. $0.12.` */
function netWords(usd: number): string {
  const cost = formatCost(Math.abs(usd) * MICROS);
  return usd >= 0
    ? `Resuming saved est. ${cost}.`
    : `Resuming cost est. ${cost} more than handing off would have.`;
}

function RepeatedSummary({ value: { toolCalls, repeatedToolCalls } }: { value: EscalationDto }) {
  if (toolCalls === null || repeatedToolCalls === null) {
    return (
      <>
        Repeated tool calls: <Unknown reason="The log was deleted, or is too long to compare" />
      </>
    );
  }
  if (toolCalls === 0) return <>It made no tool calls.</>;
  return (
    <>
      {formatCount(repeatedToolCalls)} of {formatCount(toolCalls)}{' '}
      {toolCalls === 1 ? 'tool call' : 'tool calls'} repeated from the tier before.
    </>
  );
}

function Line(props: { label: string; basis: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt>
        {props.label}
        <span className="block text-meta text-text-3">{props.basis}</span>
      </dt>
      <dd className="text-right tabular-nums">{props.children}</dd>
    </div>
  );
}

function Estimate({ usd, unknown }: { usd: number | null; unknown: string }) {
  if (usd === null) return <Unknown reason={unknown} />;
  return <>est. {formatCost(usd * MICROS)}</>;
}

function RepeatedCalls({ value, fromHref, toHref }: HopValueProps) {
  const { repeated, repeatedToolCalls } = value;
  if (repeated.length === 0) return null;
  const more = (repeatedToolCalls ?? 0) - repeated.length;
  return (
    <>
      <p className="mt-3 text-meta text-text-3">Repeated tool calls: same tool, same input</p>
      <ul className="mt-1 flex flex-col gap-1">
        {repeated.map((call) => (
          <li key={call.seq} className="flex flex-wrap items-baseline gap-x-3">
            <code className="min-w-0 wrap-anywhere text-meta">{call.text}</code>
            {call.isAfterChange ? (
              <span className="text-meta text-text-3">after a change, so it may verify it</span>
            ) : null}
            <span className="flex gap-x-3 text-meta">
              <TextLink href={`${fromHref}?event=${call.parentSeq}`}>First call</TextLink>
              <TextLink href={`${toHref}?event=${call.seq}`}>Repetition</TextLink>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="mt-1 text-meta text-text-3">{formatCount(more)} more</p> : null}
    </>
  );
}
