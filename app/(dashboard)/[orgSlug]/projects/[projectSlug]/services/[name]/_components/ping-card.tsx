import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { TextLink } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { PingCheck } from '@/lib/monitoring/manage-ping-checks';
import { formatDuration, formatSpan } from '@/lib/platform/format/duration';
import { PingUrl } from './ping-url';

interface PingCardProps {
  organizationSlug: string;
  project: string;
  pingCheck: PingCheck;
}

const STATES: Record<PingCheck['state'], { words: string; className?: string }> = {
  waiting: { words: 'Waiting for the first ping', className: 'text-text-2' },
  up: { words: 'In time' },
  running: { words: 'The job is running' },
  late: { words: 'Late, within the grace period', className: 'text-wait-fg' },
  failed: { words: 'The last ping reported a failure', className: 'text-bad-fg' },
  missed: { words: 'No ping by the deadline', className: 'text-bad-fg' },
};

/** What a job has to ping, when it last did, and by when it has to again. */
export function PingCard({ organizationSlug, project, pingCheck }: PingCardProps) {
  const { id, name, url, rule, isPostOnly, previousUrlUntil } = pingCheck;
  return (
    <Card title={<SafeText text={name} />} note="Heartbeat">
      <div className="flex flex-col gap-4">
        <DefinitionList items={factsOf(pingCheck)} />
        {url.kind === 'shown' ? <Call url={url.url} isPostOnly={isPostOnly} /> : null}
        {url.kind === 'hidden' ? (
          <p className="max-w-prose text-text-2">
            Its URL can report success for the job, so it’s shown to admins only.
          </p>
        ) : null}
        {url.kind === 'unreadable' ? (
          <p className="max-w-prose text-bad-fg">
            Its URL can’t be shown, because it was encrypted with another TIERWATCH_SECRET_KEY. The
            job can still ping it. Create a new URL to see it here.
          </p>
        ) : null}
        {url.kind === 'hidden' ? null : (
          <PingUrl
            {...{ organizationSlug, project, name }}
            heartbeatId={id}
            previousUntil={
              previousUrlUntil && <Time at={previousUrlUntil.toISOString()} form="day" />
            }
          />
        )}
        <p className="max-w-prose text-meta text-text-3">
          Expected every {formatSpan(rule.periodSeconds)}, at most {formatSpan(rule.graceSeconds)}{' '}
          late. End the URL with /start, /fail or the exit code to report more:{' '}
          <TextLink href="/docs/checks#heartbeat">Heartbeats</TextLink>.
        </p>
      </div>
    </Card>
  );
}

function Call({ url, isPostOnly }: { url: string; isPostOnly: boolean }) {
  const method = isPostOnly ? ' -X POST' : '';
  const command = `curl -fsS -m 10 --retry 5 -o /dev/null${method} ${url}`;
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium text-ui">At the end of the job</p>
      <CodeBlock label="command" value={command}>
        {command}
      </CodeBlock>
    </div>
  );
}

function factsOf({ state, lastPingAt, lastStartAt, lastDurationMs, deadline }: PingCheck) {
  const { words, className } = STATES[state];
  return [
    { term: 'Now', value: <span className={className}>{words}</span> },
    {
      term: 'Last ping',
      value: lastPingAt ? <Time at={lastPingAt.toISOString()} /> : 'none yet',
    },
    ...(lastStartAt
      ? [{ term: 'Last start', value: <Time at={lastStartAt.toISOString()} /> }]
      : []),
    ...(lastDurationMs === null
      ? []
      : [{ term: 'Last duration', value: formatDuration(lastDurationMs) }]),
    {
      term: state === 'missed' ? 'Missed deadline' : 'Next deadline',
      value: deadline ? <Time at={deadline.toISOString()} form="day" /> : 'after the first ping',
    },
  ];
}
