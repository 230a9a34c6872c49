'use client';

import { ChevronRight, CircleX, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Duration } from '../status/duration';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { SafeText } from '../ui/safe-text';
import { Spinner } from '../ui/spinner';
import { callTitle } from './call-title';
import { useEventId } from './event-id';
import { type CallEnd, callEnd } from './fold';
import type { CallItem } from './log-rows';
import { OutputBlock } from './output-block';

interface CallRowProps {
  call: CallItem;
  isOpen: boolean;
  onToggle: (call: CallItem) => void;
  /** Why it was refused and where rules are changed; shown when it was. */
  denial?: ReactNode;
  rawHref?: (call: CallItem) => string;
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
export function CallRow({ call, isOpen, onToggle, denial, rawHref, children }: CallRowProps) {
  const title = callTitle(call.tool, call.input);
  const end = callEnd(call);
  const eventId = useEventId();
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
        className="grid w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 px-3 py-1 pl-2.5 text-left hover:bg-hover"
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
          <span className="text-text-3 select-none">{title.mark} </span>
          <SafeText text={title.text} />
          {title.change ? (
            <span className="text-text-2">
              {' '}
              +{title.change.added} −{title.change.removed}
            </span>
          ) : null}
        </code>
        <span className="flex h-5 items-center gap-2 text-meta text-text-3 tabular-nums">
          {MARKS[end]}
          <Facts call={call} end={end} />
        </span>
      </button>
      {isOpen ? (
        <div className="group/output relative pt-0.5 pr-3 pb-2 pl-8.5">
          {end === 'denied' ? denial : <Output call={call} rawHref={rawHref?.(call)} />}
          {title.mark === '$' ? (
            <CopyButton
              value={title.text}
              label="Copy command"
              isIconOnly
              className="absolute top-0 right-2 opacity-0 focus-visible:opacity-100 group-hover/output:opacity-100"
            />
          ) : null}
        </div>
      ) : null}
      {children}
    </div>
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
        cutBytes={result.cutBytes}
        {...(rawHref ? { rawHref } : {})}
      />
      {result.stderr ? <OutputBlock stream="stderr" text={result.stderr} /> : null}
    </div>
  );
}
