import type { ReactNode } from 'react';
import { Unknown } from '@/app/_components/status/cost';
import { Link } from '@/app/_components/ui/link';
import { premiumLabel } from '@/lib/insight/chains/escalation-words';
import type { EscalationDto } from '@/lib/insight/chains/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { formatCount } from '@/lib/platform/format/count';

const MICROS = 1_000_000;

interface HopValueProps {
  value: EscalationDto;
  /** Of the two sessions' logs. */
  fromHref: string;
  toHref: string;
}

/** What resuming saved and cost at one escalation, how that is computed, and what was done twice. */
export function HopValue({ value, fromHref, toHref }: HopValueProps) {
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
              <Link href={`${fromHref}?event=${call.parentSeq}`} className="link">
                First call
              </Link>
              <Link href={`${toHref}?event=${call.seq}`} className="link">
                Repetition
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="mt-1 text-meta text-text-3">{formatCount(more)} more</p> : null}
    </>
  );
}
