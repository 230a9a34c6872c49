'use client';

import { ChevronRight, CircleX, PanelRight, ShieldX } from 'lucide-react';
import { createContext, type ReactNode, use } from 'react';
import { TextLink } from '@/app/_components/ui/link';
import { LazyMarkdown } from '../markdown/lazy-markdown';
import { Duration } from '../status/duration';
import { StatusBadge } from '../status/status-badge';
import type { Tier } from '../status/tier-mark';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { SafeText } from '../ui/safe-text';
import { Spinner } from '../ui/spinner';
import {
  type CallEnd,
  callEnd,
  callTitle,
  isReportCall,
  type ReportBrief,
  reportBriefOf,
} from './calls';
import type { CallItem } from './events';
import { OutputBlock } from './output-block';
import { rowId } from './places';

/** What the rows of one session have in common. */
export interface RowScope {
  tier: Tier;
  /** What the tier is offered; a call of anything else was never possible. Empty: not known. */
  tools: readonly string[];
  /** Null for people who may not change rules. */
  reviewHref: string | null;
  /** Of the session's Report tab; a report in the log leads there. */
  reportHref?: string;
  /** Set where a page shows several sessions: numbers of events start over in each. */
  sessionNumber?: number;
  onToggle: (call: CallItem, isOpen: boolean) => void;
  /** Shows a call's details beside the log; without it there is no button for that. */
  onInspect?: (call: CallItem) => void;
}

export const RowScopeContext = createContext<RowScope>({
  tier: 1,
  tools: [],
  reviewHref: null,
  onToggle: () => undefined,
});

interface CallRowProps {
  call: CallItem;
  isOpen: boolean;
  /** What a sub-agent did under this call. */
  children: ReactNode;
}

const MARKS: Record<CallEnd, ReactNode> = {
  pending: <Spinner className="size-3.5 text-run-mark" />,
  ok: null,
  failed: <CircleX aria-hidden className="size-3.5 text-bad-mark" />,
  denied: <ShieldX aria-hidden className="size-3.5 text-wait-mark" />,
};

/** A tool call: one line, and its output below when open. */
export function CallRow({ call, isOpen, children }: CallRowProps) {
  const scope = use(RowScopeContext);
  const { onToggle, onInspect } = scope;
  const title = callTitle(call.tool, call.input);
  const end = callEnd(call);
  const id = rowId(scope, call.seq);
  const isReport = isReportCall(call);
  return (
    <div
      id={id}
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
        onClick={() => onToggle(call, isOpen)}
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
          {end === 'denied' ? <Denial tool={call.tool} /> : null}
          {isReport ? <ReportBody brief={reportBriefOf(call)} href={scope.reportHref} /> : null}
          {(isReport && end !== 'failed') || end === 'denied' ? null : (
            <Output call={call} rowId={id} />
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

function Output({ call: { result }, rowId }: { call: CallItem; rowId: string }) {
  if (!result) return <p className="text-meta text-text-3">No output yet.</p>;
  const stdout = result.stdout ?? (result.stderr ? '' : result.content);
  if (stdout === '' && !result.stderr && result.cutBytes === 0) {
    return <p className="text-meta text-text-3">No output.</p>;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <OutputBlock stream="stdout" text={stdout} rowId={rowId} cutBytes={result.cutBytes} />
      {result.stderr ? <OutputBlock stream="stderr" text={result.stderr} rowId={rowId} /> : null}
    </div>
  );
}

/** Why a call did not run, and where rules are changed. MCP tools are offered by their server's prefix. */
function Denial({ tool }: { tool: string }) {
  const { tier, tools, reviewHref } = use(RowScopeContext);
  const isOffered = tools.length === 0 || tools.includes(tool) || tool.startsWith('mcp__');
  return (
    <p className="text-ui text-wait-fg">
      {isOffered
        ? `Denied: no rule of tier ${tier} allows this.`
        : `Not offered: ${tool} is outside the tools of tier ${tier}.`}
      {/* Never filled in from what the agent wrote. */}
      {reviewHref ? (
        <>
          {' '}
          <TextLink href={reviewHref}>Review tier {tier} rules</TextLink>
        </>
      ) : null}
    </p>
  );
}

interface ReportBodyProps {
  /** Null when what was handed in isn't a report. */
  brief: ReportBrief | null;
  /** Of the Report tab, which has the rest and the JSON. */
  href?: string | undefined;
}

/** A report as its row in the log shows it: summary, services, and whether a higher tier was requested. */
function ReportBody({ brief, href }: ReportBodyProps) {
  return (
    <div className="flex flex-col gap-2 py-1">
      {brief ? (
        <Brief brief={brief} />
      ) : (
        <p className="text-text-2 text-ui">What was handed in isn’t a report.</p>
      )}
      {href ? (
        <p data-facts className="text-ui">
          <TextLink href={href}>Open the report</TextLink>
        </p>
      ) : null}
    </div>
  );
}

function Brief({ brief: { summary, services, escalation } }: { brief: ReportBrief }) {
  return (
    <>
      <LazyMarkdown text={summary} />
      {services.length > 0 ? (
        <ul aria-label="Services, as reported" className="flex flex-col gap-1 text-ui">
          {services.map((service, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a stored list, in which a name may come twice
              key={index}
              className="flex flex-wrap items-center gap-x-2 gap-y-0.5"
            >
              <StatusBadge kind="service" state={service.status} />
              <span className="font-medium">{service.name}</span>
              <span className="min-w-0 text-text-2 [overflow-wrap:anywhere]">
                <SafeText text={service.detail} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {escalation ? (
        <p className="max-w-prose text-ui [overflow-wrap:anywhere]">
          <span className="font-medium">
            {escalation.services.length > 0
              ? `Requested a higher tier for ${escalation.services.join(', ')}.`
              : 'Requested a higher tier.'}
          </span>{' '}
          <SafeText text={escalation.reason} />
        </p>
      ) : null}
    </>
  );
}
