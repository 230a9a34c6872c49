'use client';

import { ChevronRight, CircleX, PanelRight, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Duration } from '../status/duration';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { SafeText } from '../ui/safe-text';
import { Spinner } from '../ui/spinner';
import { callTitle } from './call-title';
import { useEventId } from './event-id';
import { type CallEnd, callEnd } from './fold';
import type { CallItem } from './log-rows';
import { OutputBlock } from './output-block';
import { ReportBody } from './report-body';
import { isReportCall, reportBriefOf } from './report-brief';

interface CallRowProps {
  call: CallItem;
  isOpen: boolean;
  onToggle: (call: CallItem) => void;
  /** Why it was refused and where rules are changed; shown when it was. */
  denial?: ReactNode;
  rawHref?: (call: CallItem) => string;
  /** Shows the call's details beside the log; without it there is no button for that. */
  onInspect?: ((call: CallItem) => void) | undefined;
  /** Of the Report tab. */
  reportHref?: string | undefined;
  /** What a sub-agent did under this call. */
  children?: ReactNode;
}

const MARKS: Record<CallEnd, ReactNode> = {
  pending: <Spinner className="size-3.5 text-run-mark" />,
  ok: null,
  failed: <CircleX aria-hidden className="size-3.5 text-bad-mark" />,
  denied: <ShieldX aria-hidden className="size-3.5 text-wait-mark" />,
};

/** A tool call: one line, and its output below when open. */
export function CallRow(props: CallRowProps) {
  const { call, isOpen, onToggle, onInspect, denial, rawHref, children } = props;
  const title = callTitle(call.tool, call.input);
  const end = callEnd(call);
  const eventId = useEventId();
  const isReport = isReportCall(call);
  return (
    <div
      id={eventId(call.seq)}
      data-seq={call.seq}
      className={cn(
        'border-l-2 target:outline-2 target:outline-focus target:-outline-offset-2',
        end === 'failed' && 'border-bad-mark',
        end === 'denied' && 'border-wait-mark',
        (end === 'ok' || end === 'pending') && 'border-transparent',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(call)}
        className="grid w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 py-1 pr-(--row-end,0.75rem) pl-2.5 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cn('mt-0.5 size-4 text-text-3', isOpen && 'rotate-90')}
        />
        <code
          className={cn(
            'min-w-0 text-code',
            isOpen ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
          )}
        >
          <span className={cn('select-none', isReport ? 'font-sans font-medium' : 'text-text-3')}>
            {title.mark}{' '}
          </span>
          {isReport ? <ReportTitle isOpen={isOpen} text={title.text} /> : null}
          {isReport ? null : <SafeText text={title.text} />}
          {title.change ? (
            <span className="text-text-2">
              {' '}
              +{title.change.added} −{title.change.removed}
            </span>
          ) : null}
        </code>
        <span data-facts className="flex h-5 items-center gap-2 text-meta text-text-3 tabular-nums">
          {MARKS[end]}
          <Facts call={call} end={end} />
        </span>
      </button>
      {isOpen ? (
        <div className="group/output relative pt-0.5 pr-(--row-end,0.75rem) pb-2 pl-8.5 pointer-coarse:pr-24">
          {end === 'denied' ? denial : null}
          {isReport ? <ReportBody brief={reportBriefOf(call)} href={props.reportHref} /> : null}
          {(isReport && end !== 'failed') || end === 'denied' ? null : (
            <Output call={call} rawHref={rawHref?.(call)} />
          )}
          <div data-facts className="absolute top-0 right-2 flex gap-1">
            {title.mark === '$' ? (
              <CopyButton
                value={title.text}
                label="Copy command"
                isIconOnly
                className={QUIET_BUTTON}
              />
            ) : null}
            {onInspect ? (
              <Button
                look="quiet"
                size="icon-sm"
                aria-label="Show details of the call"
                title="Details"
                onClick={() => onInspect(call)}
                className={QUIET_BUTTON}
              >
                <PanelRight aria-hidden />
              </Button>
            ) : null}
          </div>
        </div>
      ) : null}
      {children}
    </div>
  );
}

/** There on hover and focus, and always where nothing hovers. */
const QUIET_BUTTON =
  'bg-surface opacity-0 focus-visible:opacity-100 group-hover/output:opacity-100 pointer-coarse:opacity-100';

/** Shows the first line of a report while folded, and its summary once open. */
function ReportTitle({ isOpen, text }: { isOpen: boolean; text: string }) {
  if (isOpen) return null;
  return (
    <span className="font-sans text-text-2 text-ui">
      <SafeText text={text} />
    </span>
  );
}

function Facts({ call, end }: { call: CallItem; end: CallEnd }) {
  const exitCode = call.result?.exitCode ?? null;
  if (end === 'denied') return <span className="text-wait-fg">Denied</span>;
  return (
    <>
      {end === 'failed' ? (
        <span className="text-bad-fg">{exitCode ? `exit ${exitCode}` : 'failed'}</span>
      ) : null}
      {end === 'ok' && exitCode === 0 ? <span>exit 0</span> : null}
      <Duration from={call.at} to={call.result?.at ?? null} className="min-w-10 text-right" />
    </>
  );
}

function Output({ call, rawHref }: { call: CallItem; rawHref: string | undefined }) {
  const { result } = call;
  if (!result) return <p className="text-meta text-text-3">No output yet.</p>;
  const stdout = result.stdout ?? (result.stderr ? '' : result.content);
  if (stdout === '' && !result.stderr && result.cutBytes === 0) {
    return <p className="text-meta text-text-3">No output.</p>;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <OutputBlock
        stream="stdout"
        text={stdout}
        seq={call.seq}
        cutBytes={result.cutBytes}
        {...(rawHref ? { rawHref } : {})}
      />
      {result.stderr ? <OutputBlock stream="stderr" text={result.stderr} seq={call.seq} /> : null}
    </div>
  );
}
