'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { FormProblem } from '@/app/_components/ui/field';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { RunnerDto } from '@/lib/fleet/schema';
import {
  limitsOf,
  type TiersAndSlots,
  TiersAndSlotsFields,
} from '../../_components/tiers-and-slots';
import { setRunner } from '../../actions';

interface RunnerSettingsProps {
  organizationSlug: string;
  runner: Pick<RunnerDto, 'id' | 'name' | 'allowedTiers' | 'slotLimit' | 'posture'>;
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

  const offered = runner.posture?.slots;
  return (
    <Dialog
      open={isOpen}
      onOpenChange={open}
      title={`Set tiers and slots of ${runner.name}`}
      description="Takes effect immediately. Running attempts continue."
      trigger={
        <Button>
          <SlidersHorizontal aria-hidden /> Tiers and slots
        </Button>
      }
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
