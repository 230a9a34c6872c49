'use client';

import { ArrowRight, Link2 } from 'lucide-react';
import { memo, useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import { Link } from '@/app/_components/ui/link';
import { formatCost } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { type StateOf, stateLook } from '../../status/states';
import { type Tier, tierName } from '../../status/tier-mark';
import { toneStyle } from '../../status/tone';
import { cn } from '../../ui/cn';
import { Denial } from '../denial';
import { LogRow } from '../log-row';
import type { CallItem } from '../log-rows';
import type { LogEntry } from './log-entries';
import { logLink } from './log-view';

/** What the rows of one session have in common. */
export interface LogFacts {
  sessionNumber: number;
  tier: Tier;
  /** What the tier is offered; a call of anything else was never possible. */
  tools: readonly string[];
  /** Null for people who may not change rules. */
  reviewHref: string | null;
  /** The session that continues from here. */
  next: { href: string; label: string } | null;
  /** Of the session's Report tab; a report in the log leads there. */
  reportHref?: string;
}

interface EntryRowProps {
  entry: LogEntry;
  facts: LogFacts;
  /** Sequence numbers of the open calls, by commas. */
  open: string;
  onToggle: (call: CallItem) => void;
  /** Shows a call's details beside the log; without it there is no button for that. */
  onInspect?: ((call: CallItem) => void) | undefined;
}

/** Any entry of the log. Drawn again only when it changed or one of its calls was folded. */
export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, facts, open, onToggle, onInspect } = props;
  const openSeqs = useMemo(() => new Set(open.split(',').map(Number)), [open]);
  const isCallOpen = useCallback((call: CallItem) => openSeqs.has(call.seq), [openSeqs]);
  const denialOf = useCallback(
    (call: CallItem) => (
      <Denial
        tier={facts.tier}
        tool={call.tool}
        isOffered={facts.tools.length === 0 || isOffered(call.tool, facts.tools)}
        reviewHref={facts.reviewHref}
      />
    ),
    [facts],
  );
  switch (entry.type) {
    case 'row':
      return (
        <>
          <LogRow
            row={entry.row}
            isCallOpen={isCallOpen}
            onToggleCall={onToggle}
            denialOf={denialOf}
            onInspect={onInspect}
            reportHref={facts.reportHref}
          />
          <CopyLink seq={entry.seq} />
        </>
      );
    case 'start':
      return (
        <p className="flex items-center gap-3 px-3 pt-4 pb-1 text-meta text-text-2 tabular-nums">
          Attempt #{facts.sessionNumber}.{entry.attempt.number}
          <span className="text-text-3">
            {tierName(facts.tier)}
            {entry.attempt.runner ? ` · runner ${entry.attempt.runner.name}` : ''}
          </span>
          <span aria-hidden className="h-px flex-1 bg-control/60" />
        </p>
      );
    case 'end':
      return <AttemptEnd entry={entry} facts={facts} />;
  }
});

function AttemptEnd({ entry, facts }: { entry: LogEntry & { type: 'end' }; facts: LogFacts }) {
  const { exit, startedAt, endedAt, costUsd, id } = entry.attempt;
  return (
    <div data-end={id}>
      <EndRow
        state={(exit?.kind ?? 'unknown') as StateOf<'attempt'>}
        exitCode={exit?.code ?? null}
        durationMs={startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : null}
        costMicros={Math.round(costUsd * 1_000_000)}
        next={facts.next}
      />
      {exit && exit.kind !== 'completed' ? (
        <p className="max-w-prose px-3 pb-2 pl-9 text-text-2 text-ui">{exit.text}</p>
      ) : null}
    </div>
  );
}

/**
 * One button a row, in a column of its own that the list keeps free. It is plain, since each of
 * ours would bring a live region along.
 */
function CopyLink({ seq }: { seq: number }) {
  const copy = async () => {
    const link = logLink(seq);
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

/** MCP tools are offered by their server's prefix. */
function isOffered(tool: string, tools: readonly string[]): boolean {
  return tools.includes(tool) || tool.startsWith('mcp__');
}

interface EndRowProps {
  /** How the attempt ended. */
  state: StateOf<'attempt'>;
  exitCode: number | null;
  durationMs: number | null;
  costMicros: number | null;
  /** The session that continued from here. */
  next?: { href: string; label: string } | null;
}

/** "Ended: completed, exit 0, 2m 05s, $0.47." and the way to the next tier. */
function EndRow({ state, exitCode, durationMs, costMicros, next }: EndRowProps) {
  const look = stateLook('attempt', state);
  const facts = [
    look.word.toLowerCase(),
    exitCode === null ? null : `exit ${exitCode}`,
    durationMs === null ? null : formatDuration(durationMs),
    costMicros === null ? null : formatCost(costMicros),
  ].filter((fact) => fact !== null);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2 text-ui tabular-nums">
      <look.icon aria-hidden className={cn('size-4', toneStyle[look.tone].mark)} />
      <p className="font-medium">Ended: {facts.join(', ')}.</p>
      {next ? (
        <Link href={next.href} className="link ml-auto inline-flex items-center gap-1">
          {next.label} <ArrowRight aria-hidden className="size-4" />
        </Link>
      ) : null}
    </div>
  );
}
