'use client';

import { RefreshCw, X } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import type { RunnerDto } from '@/lib/fleet/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { cancelUpdate, updateRunner, updateRunners } from '../actions';

interface UpdateRunnerProps {
  organizationSlug: string;
  runner: Pick<RunnerDto, 'id' | 'name' | 'pool' | 'slotsInUse' | 'update'>;
}

/** Replaces the runner's program. Where that isn't possible, its card on the page says why. */
export function UpdateRunner({ organizationSlug, runner }: UpdateRunnerProps) {
  const { name, pool, slotsInUse, update } = runner;

  const act = (change: typeof updateRunner) => change({ organizationSlug, runnerId: runner.id });

  if (update.state === 'waiting' || update.state === 'running') {
    return (
      <ConfirmDialog
        trigger={
          <Button>
            <X aria-hidden /> Cancel update
          </Button>
        }
        title={`Cancel the update of ${name}`}
        look="primary"
        confirmLabel="Cancel update"
        effects={['It keeps its version, unless it is restarting into the new one already.']}
        onConfirm={() => act(cancelUpdate)}
      />
    );
  }
  if (!update.isAvailable) return null;
  return (
    <ConfirmDialog
      trigger={<Button icon={RefreshCw}>Update</Button>}
      title={`Update ${name}`}
      look="primary"
      confirmLabel={`Update ${name}`}
      effects={[
        slotsInUse === 0
          ? 'It has no running attempts, so it restarts within seconds.'
          : `It finishes its ${formatCounted(slotsInUse, 'running attempt')} first and claims no new ones.`,
        `Other runners of pool ${pool} are updated before or after it, never at the same time.`,
        'It keeps its key and its folder. If the new version doesn’t come online, the previous one continues.',
      ]}
      onConfirm={() => act(updateRunner)}
    />
  );
}

interface UpdateAllRunnersProps {
  organizationSlug: string;
  /** How many have another version. */
  count: number;
}

export function UpdateAllRunners({ organizationSlug, count }: UpdateAllRunnersProps) {
  return (
    <ConfirmDialog
      trigger={<Button icon={RefreshCw}>Update all</Button>}
      title={`Update ${formatCounted(count, 'runner')}`}
      look="primary"
      confirmLabel="Update all"
      effects={[
        'One runner of a pool at a time finishes its attempts and restarts with the new version.',
        'If an update fails, that runner continues with its previous version, and the others of its pool aren’t tried.',
      ]}
      onConfirm={() => updateRunners({ organizationSlug })}
    />
  );
}
