'use client';

import { ArrowDownToLine, Ban, CirclePause, KeyRound, Play, SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { FormProblem } from '@/app/_components/ui/field';
import { PendingButton } from '@/app/_components/ui/spinner';
import { PauseDialog } from '@/app/(dashboard)/[orgSlug]/_components/pause-dialog';
import { ResumeButton } from '@/app/(dashboard)/[orgSlug]/_components/resume-button';
import type { RunnerDto } from '@/lib/fleet/schema';
import { formatCounted } from '@/lib/platform/format/count';
import {
  limitsOf,
  type TiersAndSlots,
  TiersAndSlotsFields,
} from '../../_components/tiers-and-slots';
import { drainRunner, resumeRunner, revokeRunner, rotateKey, setRunner } from '../../actions';

interface RunnerActsProps {
  organizationSlug: string;
  runner: Pick<RunnerDto, 'id' | 'name' | 'pool' | 'status' | 'slotsInUse' | 'drainingAt'>;
}

/** Drain, take work again, rotate the key, revoke. */
export function RunnerActs({ organizationSlug, runner }: RunnerActsProps) {
  const input = { organizationSlug, runnerId: runner.id };
  const acknowledged = runner.slotsInUse;

  const act = (change: typeof drainRunner) => change(input);

  return (
    <>
      {runner.drainingAt ? (
        <ConfirmDialog
          trigger={<Button icon={Play}>Stop draining</Button>}
          title={`Stop draining ${runner.name}`}
          look="primary"
          confirmLabel="Stop draining"
          effects={[`It claims attempts of pool ${runner.pool} again within seconds.`]}
          onConfirm={() => act(resumeRunner)}
        />
      ) : (
        <ConfirmDialog
          trigger={<Button icon={ArrowDownToLine}>Drain</Button>}
          title={`Drain ${runner.name}`}
          look="primary"
          confirmLabel={`Drain ${runner.name}`}
          effects={[
            acknowledged === 0
              ? 'It has no running attempts and claims no new ones.'
              : `It finishes its ${formatCounted(acknowledged, 'running attempt')} and claims no new ones.`,
            `Pool ${runner.pool} runs without it until you stop draining.`,
          ]}
          onConfirm={() => act(drainRunner)}
        />
      )}
      <ConfirmDialog
        trigger={<Button icon={KeyRound}>Rotate key</Button>}
        title={`Rotate the key of ${runner.name}`}
        look="primary"
        confirmLabel="Rotate key"
        effects={[
          'The host fetches and stores a new key automatically. Running attempts continue.',
          'The old key works until the host has confirmed the new one. If someone else may have the old key, revoke the runner instead.',
        ]}
        onConfirm={() => act(rotateKey)}
      />
      <ConfirmDialog
        trigger={
          <Button look="danger" icon={Ban}>
            Revoke
          </Button>
        }
        title={`Revoke ${runner.name}`}
        confirmLabel={`Revoke ${runner.name}`}
        effects={[
          acknowledged === 0
            ? 'It has no running attempts.'
            : `${formatCounted(acknowledged, 'running attempt')} ${acknowledged === 1 ? 'is' : 'are'} stopped and marked lost.`,
          'Its key stops working immediately. To use the host again, enroll it under a new name.',
        ]}
        onConfirm={() => act(revokeRunner)}
      />
    </>
  );
}

interface RunnerPauseProps {
  organizationSlug: string;
  runner: { id: string; name: string };
  isPaused: boolean;
}

export function RunnerPause({ organizationSlug, runner, isPaused }: RunnerPauseProps) {
  const [isAsking, setAsking] = useState(false);
  const what = { kind: 'runner', runnerId: runner.id } as const;
  if (isPaused) return <ResumeButton organizationSlug={organizationSlug} what={what} isAllowed />;
  return (
    <>
      <Button onClick={() => setAsking(true)} icon={CirclePause}>
        Pause
      </Button>
      <PauseDialog
        organizationSlug={organizationSlug}
        what={what}
        name={runner.name}
        liveChain={null}
        open={isAsking}
        onOpenChange={setAsking}
      />
    </>
  );
}

interface RunnerSettingsProps {
  organizationSlug: string;
  runner: Pick<RunnerDto, 'id' | 'name' | 'allowedTiers' | 'slotLimit' | 'capabilities'>;
}

const NO_ERRORS = { tiers: null, slots: null, other: null };

/** Each beside what it is about. */
function errorsOf({ fields, message }: ActionError) {
  const tiers = fields['changes.allowedTiers'] ?? null;
  const slots = fields['changes.slotLimit'] ?? null;
  return { tiers, slots, other: tiers || slots ? null : message };
}

/** Which tiers the host may take and how many attempts at once: set here, not on the host. */
export function RunnerSettings({ organizationSlug, runner }: RunnerSettingsProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const inForce = { tiers: runner.allowedTiers, slots: String(runner.slotLimit ?? '') };
  const [limits, setLimits] = useState<TiersAndSlots>(inForce);
  const [errors, setErrors] = useState<ReturnType<typeof errorsOf>>(NO_ERRORS);
  const [isPending, startTransition] = useTransition();

  function open(next: boolean) {
    setOpen(next);
    setLimits(inForce);
    setErrors(NO_ERRORS);
  }

  function save() {
    if (isPending) return;
    startTransition(async () => {
      const changes = limitsOf(limits);
      const answer = await setRunner({ organizationSlug, runnerId: runner.id, ...changes });
      if (!answer.ok) {
        setErrors(errorsOf(answer.error));
        return;
      }
      setOpen(false);
      router.refresh();
    });
  }

  const offered = runner.capabilities?.slots;
  return (
    <Dialog
      open={isOpen}
      onOpenChange={open}
      title={`Set tiers and slots of ${runner.name}`}
      description="Takes effect immediately. Running attempts continue."
      trigger={<Button icon={SlidersHorizontal}>Tiers and slots</Button>}
      footer={
        <>
          <Button onClick={() => open(false)}>Cancel</Button>
          <PendingButton look="primary" isPending={isPending} onClick={save}>
            Save
          </PendingButton>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TiersAndSlotsFields
          value={limits}
          onChange={setLimits}
          slotsHint={`Maximum concurrent attempts. Leave empty to use the runner's own setting${offered ? ` (${offered})` : ''}.`}
          errors={errors}
        />
        <FormProblem text={errors.other} />
      </div>
    </Dialog>
  );
}
