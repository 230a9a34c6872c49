'use client';

import { ArrowRight, CornerDownRight, Link2, Minus, Split } from 'lucide-react';
import { memo } from 'react';
import { toast } from 'sonner';
import { Link, TextLink } from '@/app/_components/ui/link';
import { formatCost } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { InlineReport } from '../report';
import { type StateOf, stateLook } from '../status/states';
import { StatusBadge, StatusIcon } from '../status/status-badge';
import { tierName } from '../status/tier-mark';
import { toneStyle } from '../status/tone';
import { cn } from '../ui/cn';
import { SafeText } from '../ui/safe-text';
import type { CheckOutcome, LogAttempt, LogDecision, LogEntry, LogSession } from './entries';
import { LogLine, LogRow, LogTime } from './log-row';
import { eventLink } from './places';

export interface EntryProps {
  entry: LogEntry;
  session: LogSession;
  /** Of the session: "/acme/projects/checkout/sessions/8". */
  base: string;
  /** The session that continues from here. */
  next?: { href: string; label: string } | null | undefined;
  /** Sequence numbers of the open calls, by commas. */
  open: string;
}

/** Any entry of a log. Drawn again only when it changed or one of its calls was folded. */
export const EntryRow = memo(function EntryRow(props: EntryProps) {
  const { entry, session, base, next, open } = props;
  const { number, tier, part } = session;
  switch (entry.type) {
    case 'row':
      return (
        <>
          <LogRow row={entry.row} open={open} />
          <CopyLink seq={entry.row.seq} session={session} />
        </>
      );
    case 'checks':
      return <Checks seq={entry.seq} at={entry.at} checks={entry.checks} />;
    case 'decision':
      return <Decision decision={entry.decision} href={`${base}/decision`} />;
    case 'start': {
      const { attempt } = entry;
      const facts = [
        part ? null : tierName(tier),
        attempt.purpose === 'reconcile' ? 'Observe-only check' : null,
        attempt.runner ? `runner ${attempt.runner}` : null,
      ].filter((fact) => fact !== null);
      return (
        <p className="flex items-center gap-3 px-3 pt-4 pb-1 text-meta text-text-2 tabular-nums">
          {`Attempt #${number}.${attempt.number}`}
          <span className="text-text-3">{facts.join(' · ')}</span>
          <span aria-hidden className="h-px flex-1 bg-control/60" />
        </p>
      );
    }
    case 'end':
      return (
        <AttemptEnd
          name={part ? `Attempt #${number}.${entry.attempt.number} ended` : 'Ended'}
          attempt={entry.attempt}
          text={entry.text}
          next={next}
        />
      );
    case 'report':
      return <Report session={session} href={`${base}/report`} />;
    case 'note':
      return (
        <p className="px-3 py-2 text-text-2 text-ui">
          {entry.text}{' '}
          {entry.from === null ? null : part ? (
            <TextLink href={`${base}?event=${entry.from}`}>Show all in Session #{number}</TextLink>
          ) : (
            <a href={`${base}/log.txt`} download className="link">
              Download the whole log
            </a>
          )}
        </p>
      );
  }
});

/**
 * One button a row, in a column of its own that the list keeps free. It is plain, since each of
 * ours would bring a live region along.
 */
function CopyLink({ seq, session }: { seq: number; session: LogSession }) {
  const copy = async () => {
    const link = eventLink(session, seq);
    await navigator.clipboard.writeText(link).then(
      () => toast.success('Link copied.'),
      () => toast.error(`Couldn’t copy. The link is ${link}`),
    );
  };
  return (
    <button
      type="button"
      title="Copy link"
      aria-label={`Copy link to event ${seq}`}
      onClick={copy}
      className="absolute top-0.5 right-0.5 grid size-6 place-items-center rounded-badge bg-surface text-text-2 opacity-0 hover:text-text focus-visible:opacity-100 group-hover/entry:opacity-100 max-md:hidden"
    >
      <Link2 aria-hidden className="size-3.5" />
    </button>
  );
}

interface AttemptEndProps {
  name: string;
  attempt: LogAttempt;
  text: string;
  next: EntryProps['next'];
}

/** "Ended: completed, exit 0, 2m 05s, $0.47.", why, and the way to the next tier. */
function AttemptEnd({ name, attempt, text, next }: AttemptEndProps) {
  const { id, end, exitCode, startedAt, endedAt, costMicros } = attempt;
  const look = stateLook('attempt', (end ?? 'unknown') as StateOf<'attempt'>);
  const facts = [
    look.word.toLowerCase(),
    exitCode === null ? null : `exit ${exitCode}`,
    startedAt && endedAt ? formatDuration(Date.parse(endedAt) - Date.parse(startedAt)) : null,
    costMicros === null ? null : formatCost(costMicros),
  ].filter((fact) => fact !== null);
  return (
    <div data-end={id}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2 text-ui tabular-nums">
        <look.icon aria-hidden className={cn('size-4', toneStyle[look.tone].mark)} />
        <p className="font-medium">{`${name}: ${facts.join(', ')}.`}</p>
        {next ? (
          <Link href={next.href} className="link ml-auto inline-flex items-center gap-1">
            {next.label} <ArrowRight aria-hidden className="size-4" />
          </Link>
        ) : null}
      </div>
      {text ? (
        <p className="max-w-prose px-3 pb-2 pl-9 text-text-2 text-ui">
          <SafeText text={text} />
        </p>
      ) : null}
    </div>
  );
}

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

type ServiceOutcome = Pick<CheckOutcome, 'service' | 'status' | 'error'>;

const RANK: Record<CheckOutcome['status'], number> = {
  down: 3,
  degraded: 2,
  unknown: 1,
  healthy: 0,
};

/** Returns each service once, with its worst result and why; the worst services first. */
function outcomeByService(checks: readonly CheckOutcome[]): ServiceOutcome[] {
  const worst = new Map<string, ServiceOutcome>();
  for (const { service, status, error } of checks) {
    const before = worst.get(service);
    if (!before || RANK[status] > RANK[before.status]) {
      worst.set(service, { service, status, error });
    }
  }
  return [...worst.values()].toSorted((one, other) => RANK[other.status] - RANK[one.status]);
}

interface DecisionProps {
  decision: LogDecision;
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
        {isStart ? <TextLink href={href}>All checks</TextLink> : null}
      </p>
      <span className="text-meta text-text-3 tabular-nums">
        <LogTime at={at} />
      </span>
    </div>
  );
}

/** What a tier reported, below what it did. */
function Report({ session: { part, tier, number }, href }: { session: LogSession; href: string }) {
  const link = <TextLink href={href}>Open the report</TextLink>;
  if (!part?.report) {
    return (
      <p className="px-3 py-2 pl-9 text-text-2 text-ui">
        The report of tier {tier} isn’t readable. {link}
      </p>
    );
  }
  return (
    <div className="max-w-240 py-2 pr-3 pl-9 max-md:pl-3">
      <InlineReport
        report={part.report}
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
