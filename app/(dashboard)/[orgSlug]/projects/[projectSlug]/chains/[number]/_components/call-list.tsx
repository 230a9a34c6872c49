import { callTitle } from '@/app/_components/log/calls';
import { rowId } from '@/app/_components/log/places';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { SessionLog } from '@/lib/insight/chains/chain-log';
import type { WorkCall } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { formatDuration } from '@/lib/platform/format/duration';

interface CallListProps {
  label: string;
  calls: readonly WorkCall[];
  sessions: readonly SessionItem[];
  logs: readonly SessionLog[];
  /** Of the project: "/acme/projects/checkout". */
  root: string;
}

/** Calls in the order they were made: tier, command, service, result. Each leads to its row of the log. */
export function CallList({ label, calls, sessions, logs, root }: CallListProps) {
  return (
    <ol aria-label={label}>
      {calls.map((call) => {
        const session = sessions.find(({ id }) => id === call.sessionId);
        if (!session) return null;
        const { mark, text } = callTitle(call.tool, call.input);
        const services = [...new Set(call.counted.map(({ service }) => service))].join(', ');
        return (
          <li
            key={`${call.sessionId}-${call.seq}`}
            className="relative grid grid-cols-[2.75rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-line border-t px-4 py-1.5 first:border-t-0 hover:bg-hover max-md:grid-cols-[2.75rem_minmax(0,1fr)]"
          >
            <TierMark tier={session.tier as Tier} />
            <Link
              href={hrefOf(call, session, logs, root)}
              className="min-w-0 after:absolute after:inset-0 hover:underline"
            >
              <code className="line-clamp-2 text-code [overflow-wrap:anywhere]" title={text}>
                <span className="text-text-3">{mark} </span>
                <SafeText text={text} />
              </code>
            </Link>
            <span className="flex gap-x-3 text-text-2 text-ui tabular-nums max-md:col-start-2">
              {services ? <span>{services}</span> : null}
              <Result call={call} />
              {call.durationMs === null || call.isDenied ? null : (
                <span>{formatDuration(call.durationMs)}</span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The row on this page; where the log here is cut off before it, the one of the session. */
function hrefOf(
  call: WorkCall,
  session: SessionItem,
  logs: readonly SessionLog[],
  root: string,
): string {
  const log = logs.find(({ sessionId }) => sessionId === call.sessionId);
  const isHere =
    log?.isEnded === false
      ? call.seq > log.after
      : log?.events.some(({ seq }) => seq === call.seq) === true;
  return isHere
    ? `#${rowId({ sessionNumber: session.number }, call.seq)}`
    : `${root}/sessions/${session.number}?event=${call.seq}`;
}

function Result({ call }: { call: WorkCall }) {
  if (call.isDenied) return <span className="text-wait-fg">Denied</span>;
  if (call.isLeftRunning) return <span className="text-bad-fg">may still run</span>;
  if (call.exitCode !== null) {
    return (
      <span className={call.exitCode === 0 ? undefined : 'text-bad-fg'}>exit {call.exitCode}</span>
    );
  }
  if (call.durationMs === null) return <span className="text-text-3">no result</span>;
  return call.isError ? <span className="text-bad-fg">failed</span> : <span>done</span>;
}
