'use client';

import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { formatCounted } from '@/lib/platform/format/count';
import { Duration } from '../status/duration';
import { tierName } from '../status/tier-mark';
import { Time } from '../status/time';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { DefinitionList } from '../ui/definition-list';
import { Dialog } from '../ui/dialog';
import { SafeText } from '../ui/safe-text';
import { type CallEnd, callEnd, callTitle, isReportCall } from './calls';
import type { LogSession } from './entries';
import type { CallItem } from './events';
import { outputLines } from './output';
import { eventLink } from './places';
import { hasInspectorRoom, onInspectorRoom } from './use-reading';

interface InspectorProps {
  call: CallItem;
  session: LogSession;
  onClose: () => void;
}

const ENDS: Record<CallEnd, string> = {
  pending: 'still running',
  ok: 'ended',
  failed: 'failed',
  denied: 'denied, so it did not run',
};

/** The facts of one call: beside the log where there is room, else as a sheet over it. */
export function Inspector({ call, session, onClose }: InspectorProps) {
  const isWide = useSyncExternalStore(onInspectorRoom, hasInspectorRoom, () => true);
  if (!isWide) {
    return (
      <Dialog
        form="sheet"
        open
        onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
        title={titleOf(call)}
      >
        <CallFacts call={call} session={session} />
      </Dialog>
    );
  }
  return (
    <aside
      aria-label="Selected call"
      className="flex w-80 shrink-0 animate-enter flex-col gap-3 overflow-y-auto rounded-card border border-line bg-surface p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 className="min-w-0 truncate text-card">{titleOf(call)}</h2>
        <Button look="quiet" size="icon-sm" aria-label="Close details" onClick={onClose}>
          <X aria-hidden />
        </Button>
      </div>
      <CallFacts call={call} session={session} />
    </aside>
  );
}

function titleOf(call: CallItem): string {
  return isReportCall(call) ? 'Report' : call.tool;
}

/** "1 line of stdout, 12 lines of stderr". */
export function outputFact({ stdout, stderr, content }: NonNullable<CallItem['result']>): string {
  const lines = (text: string | null) => formatCounted(outputLines(text ?? '').length, 'line');
  return stdout === null && stderr === null
    ? lines(content)
    : `${lines(stdout)} of stdout, ${lines(stderr)} of stderr`;
}

function CallFacts({ call, session }: Pick<InspectorProps, 'call' | 'session'>) {
  const title = callTitle(call.tool, call.input);
  const { result } = call;
  return (
    <div className="flex flex-col gap-3">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be within reach of the keyboard
        tabIndex={0}
        className="max-h-60 overflow-y-auto whitespace-pre-wrap text-code [overflow-wrap:anywhere]"
      >
        <SafeText text={title.text} />
      </pre>
      <DefinitionList
        items={[
          {
            term: 'Result',
            value: result?.exitCode == null ? ENDS[callEnd(call)] : `exit ${result.exitCode}`,
          },
          { term: 'Took', value: <Duration from={call.at} to={result?.at ?? null} /> },
          { term: 'Started', value: <Time at={call.at} form="exact" /> },
          { term: 'Tier', value: tierName(session.tier) },
          ...(result ? [{ term: 'Output', value: outputFact(result) }] : []),
          { term: 'Event', value: `${call.seq} of Session #${session.number}` },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {title.mark === '$' ? <CopyButton value={title.text} label="Copy command" /> : null}
        {result?.stdout ? <CopyButton value={result.stdout} label="Copy output" /> : null}
        <CopyButton value={eventLink(session, call.seq)} label="Copy link" />
      </div>
    </div>
  );
}
