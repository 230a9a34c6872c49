import { StatusBadge } from '@/app/_components/status/status-badge';
import type { CheckTest } from '@/lib/fleet/check-tests';
import { formatDuration } from '@/lib/platform/format/duration';

/** What a runner found when it tried a check. */
export function CheckFound({ test: { runner, outcome, measured } }: { test: CheckTest }) {
  if (!outcome) {
    return (
      <span className="text-bad-fg">
        {runner} didn’t respond in time. Check the runner’s page, then try again.
      </span>
    );
  }
  const { status, error, responseTimeMs } = outcome;
  const took = responseTimeMs === null ? '' : ` in ${formatDuration(responseTimeMs)}`;
  return (
    <StatusBadge
      kind="service"
      state={status}
      reason={`${error ? `${error} ` : ''}Checked by ${runner}${took}${measured ? `: ${measured}` : ''}.`}
    />
  );
}
