import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { TextLink } from '@/app/_components/ui/link';
import type { BlockedChecks as Blocked } from '@/lib/insight/dashboard/get-blocked-checks';
import { formatCounted } from '@/lib/platform/format/count';
import { shownCheck } from '@/lib/protocol/checks/describe-check';

interface BlockedChecksProps {
  orgSlug: string;
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  blocked: Blocked;
  /** On pages of the whole project. */
  showsService: boolean;
}

const SHOWN_CHECKS = 5;

/** Which checks no runner can run, since when, why, and what to do. */
export function BlockedChecks({ orgSlug, root, blocked, showsService }: BlockedChecksProps) {
  const { since, checks } = blocked;
  const more = checks.length - SHOWN_CHECKS;
  return (
    <Card title="Blocked checks" note={formatCounted(checks.length, 'check')}>
      <div className="flex flex-col gap-2 text-ui">
        <p>
          Not run since <Time at={since.toISOString()} form="day" />:{' '}
          <Cause orgSlug={orgSlug} root={root} blocked={blocked} />
        </p>
        <ul className="flex flex-col gap-1 text-text-2">
          {checks.slice(0, SHOWN_CHECKS).map(({ service, check }) => (
            <li key={`${service} ${check.type} ${shownCheck(check)}`} className="break-words">
              {showsService ? `${service}: ` : null}
              <span className="font-medium">{check.type}</span>{' '}
              <code className="wrap-anywhere text-code">{shownCheck(check)}</code>
            </li>
          ))}
          {more > 0 ? (
            <li className="text-text-3">and {formatCounted(more, 'more check', 'more checks')}</li>
          ) : null}
        </ul>
      </div>
    </Card>
  );
}

function Cause({ orgSlug, root, blocked }: Omit<BlockedChecksProps, 'showsService'>) {
  const { reason, pool, runner } = blocked;
  if (reason === 'runner_offline') {
    return (
      <>
        {runner ? (
          <>
            runner <TextLink href={`/${orgSlug}/runners/${runner.id}`}>{runner.name}</TextLink>
          </>
        ) : (
          'the runner'
        )}
        , which runs them, is offline. Check that its host is up and can reach this address.
      </>
    );
  }
  return (
    <>
      no runner of pool {pool} can run checks.{' '}
      <TextLink href={`/${orgSlug}/runners`}>Start one</TextLink>, or{' '}
      <TextLink href={`${root}/settings/general`}>choose another pool</TextLink>.
    </>
  );
}
