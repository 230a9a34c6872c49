'use client';

import { CornerDownRight, Minus, Split } from 'lucide-react';
import { memo, type ReactNode, useCallback, useMemo } from 'react';
import { Link } from '@/app/_components/ui/link';
import { InlineReport } from '../../report/inline-report';
import { type StateOf, stateLook } from '../../status/states';
import { StatusBadge, StatusIcon } from '../../status/status-badge';
import { toneStyle } from '../../status/tone';
import { cn } from '../../ui/cn';
import { SafeText } from '../../ui/safe-text';
import { LogLine } from '../log-line';
import { LogRow } from '../log-row';
import type { CallItem, LogRow as LogRowData } from '../log-rows';
import { LogTime } from '../log-time';
import type { ChainEntry, CheckOutcome } from './chain-entries';
import type { ChainLogDecision, ChainLogSession } from './chain-session';
import { outcomeByService } from './check-summary';

interface ChainEntryRowProps {
  entry: ChainEntry;
  session: ChainLogSession;
  /** Of the project: "/acme/projects/checkout". */
  root: string;
  /** Sequence numbers of the open calls, by commas. */
  open: string;
  onToggle: (call: CallItem, isOpen: boolean) => void;
  denialOf: (call: CallItem) => ReactNode;
}

/** Any entry of a chain's log. */
export function ChainEntryRow({ entry, session, root, ...calls }: ChainEntryRowProps) {
  const base = `${root}/sessions/${session.number}`;
  switch (entry.type) {
    case 'row':
      return <EventRow row={entry.row} {...calls} />;
    case 'checks':
      return <Checks seq={entry.seq} at={entry.at} checks={entry.checks} />;
    case 'decision':
      return <Decision decision={entry.decision} href={`${base}/decision`} />;
    case 'attempt': {
      const { number, purpose, runner } = entry.attempt;
      return (
        <p className="flex items-center gap-3 px-3 pt-4 pb-1 text-meta text-text-2 tabular-nums">
          Attempt {number}
          <span className="text-text-3">
            {purpose === 'reconcile' ? 'Observe-only check' : null}
            {purpose === 'reconcile' && runner ? ' · ' : null}
            {runner ? `runner ${runner}` : null}
          </span>
          <span aria-hidden className="h-px flex-1 bg-control/60" />
        </p>
      );
    }
    case 'end': {
      const look = stateLook('attempt', entry.attempt.end as StateOf<'attempt'>);
      return (
        <div className="flex gap-2 px-3 py-1.5 text-ui">
          <look.icon aria-hidden className={cn('mt-0.5 size-4', toneStyle[look.tone].mark)} />
          <p>
            <span className="font-medium">
              Attempt {entry.attempt.number} ended: {look.word}.
            </span>{' '}
            {entry.text ? <SafeText text={entry.text} /> : null}
          </p>
        </div>
      );
    }
    case 'report':
      return <Report session={session} href={`${base}/report`} />;
    case 'note':
      return (
        <p className="px-3 py-2 pl-9 text-text-2 text-ui">
          {entry.text}{' '}
          {entry.from === null ? null : (
            <Link href={`${base}?event=${entry.from}`} className="link">
              Show all in Session #{session.number}
            </Link>
          )}
        </p>
      );
  }
}

interface EventRowProps {
  row: LogRowData;
  open: string;
  onToggle: (call: CallItem, isOpen: boolean) => void;
  denialOf: (call: CallItem) => ReactNode;
}

const EventRow = memo(function EventRow({ row, open, onToggle, denialOf }: EventRowProps) {
  const openSeqs = useMemo(() => new Set(open.split(',').map(Number)), [open]);
  const isCallOpen = useCallback((call: CallItem) => openSeqs.has(call.seq), [openSeqs]);
  const toggle = useCallback(
    (call: CallItem) => onToggle(call, openSeqs.has(call.seq)),
    [onToggle, openSeqs],
  );
  return <LogRow row={row} isCallOpen={isCallOpen} onToggleCall={toggle} denialOf={denialOf} />;
});

interface ChecksProps {
  seq: number;
  at: string;
  checks: readonly CheckOutcome[];
}

/** Checks that were made together, each service once with its worst result. */
function Checks({ seq, at, checks }: ChecksProps) {
  return (
    <LogLine seq={seq} icon={<Minus className="text-text-3" />} aside={<LogTime at={at} />}>
      <ul aria-label="Checks" className="flex flex-wrap gap-x-4 gap-y-1">
        {outcomeByService(checks).map(({ service, status, error }) => (
          <li key={service} className="flex min-w-0 items-center gap-1.5">
            <StatusIcon kind="service" state={status} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {service}
              {status === 'healthy' ? null : (
                <span className="text-text-2">
                  {' '}
                  {status === 'unknown' ? 'not checked' : status}
                  {error ? <SafeText text={`: ${error}`} /> : null}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </LogLine>
  );
}

interface DecisionProps {
  decision: ChainLogDecision;
  href: string;
}

/** What the control plane decided, at the place where it did. */
function Decision({ decision, href }: DecisionProps) {
  const { kind, verdict, sentence, reason, at } = decision;
  const isStart = kind === 'continuation';
  const Icon = isStart ? Split : CornerDownRight;
  return (
    <div
      data-decision={kind}
      className="my-1 grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 border-control border-l-2 bg-hover py-1.5 pr-3 pl-2.5 text-ui"
    >
      <Icon aria-hidden className="mt-0.5 size-3.5 text-text-2" />
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{isStart ? 'Start' : 'Decision'}</span>
        {isStart ? <StatusBadge kind="decision" state={verdict as StateOf<'decision'>} /> : null}
        <span className="[overflow-wrap:anywhere]">
          <SafeText text={sentence} />
        </span>
        <code className="text-meta text-text-3">{reason}</code>
        {isStart ? (
          <Link href={href} className="link">
            All checks
          </Link>
        ) : null}
      </p>
      <span className="text-meta text-text-3 tabular-nums">
        <LogTime at={at} />
      </span>
    </div>
  );
}

interface ReportProps {
  session: ChainLogSession;
  href: string;
}

function Report({ session, href }: ReportProps) {
  const { report, tier, number } = session;
  const link = (
    <Link href={href} className="link">
      Open the report
    </Link>
  );
  if (!report) {
    return (
      <p className="px-3 py-2 pl-9 text-text-2 text-ui">
        The report of tier {tier} isn’t readable. {link}
      </p>
    );
  }
  return (
    <div className="max-w-240 py-2 pr-3 pl-9 max-md:pl-3">
      <InlineReport
        report={report}
        label={`Report of Session #${number}`}
        note={
          <>
            reported by tier {tier} · {link}
          </>
        }
      />
    </div>
  );
}
