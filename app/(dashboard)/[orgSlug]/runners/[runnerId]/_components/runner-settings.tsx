'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { tierName } from '@/app/_components/status/tier-mark';
import { Button } from '@/app/_components/ui/button';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import type { RunnerDto } from '@/lib/runners/fleet/schema';
import { setRunner } from '../../actions';

interface RunnerSettingsProps {
  organizationSlug: string;
  runner: Pick<RunnerDto, 'id' | 'name' | 'allowedTiers' | 'slotLimit' | 'posture'>;
}

const TIERS = [1, 2, 3] as const;

/** Which tiers the host may take and how many attempts at once: set here, not on the host. */
export function RunnerSettings({ organizationSlug, runner }: RunnerSettingsProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [tiers, setTiers] = useState<readonly number[]>(runner.allowedTiers);
  const [slots, setSlots] = useState(String(runner.slotLimit ?? ''));
  const [error, setError] = useState<{ field: 'tiers' | 'slots' | null; text: string } | null>(
    null,
  );
  const [isPending, startTransition] = useTransition();

  function open(next: boolean) {
    setOpen(next);
    setTiers(runner.allowedTiers);
    setSlots(String(runner.slotLimit ?? ''));
    setError(null);
  }

  function save() {
    if (isPending) return;
    startTransition(async () => {
      const changes = {
        allowedTiers: TIERS.filter((tier) => tiers.includes(tier)),
        slotLimit: slots === '' ? null : Number(slots),
      };
      const answer = await setRunner({ organizationSlug, runnerId: runner.id, changes });
      if (answer.ok) {
        setOpen(false);
        router.refresh();
        return;
      }
      const { fields, message } = answer.error;
      const [ofTiers, ofSlots] = [fields['changes.allowedTiers'], fields['changes.slotLimit']];
      if (ofTiers) setError({ field: 'tiers', text: ofTiers });
      else if (ofSlots) setError({ field: 'slots', text: ofSlots });
      else setError({ field: null, text: message });
    });
  }

  const offered = runner.posture?.slots;
  return (
    <Dialog
      open={isOpen}
      onOpenChange={open}
      title={`Set tiers and slots of ${runner.name}`}
      description="In force at once. What runs already goes on."
      trigger={
        <Button>
          <SlidersHorizontal aria-hidden /> Tiers and slots
        </Button>
      }
      footer={
        <>
          <Button onClick={() => open(false)}>Cancel</Button>
          <Button look="primary" aria-disabled={isPending || undefined} onClick={save}>
            {isPending ? <Spinner /> : null} Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium text-ui">Tiers that may run on this host</legend>
          {TIERS.map((tier) => (
            <CheckboxField
              key={tier}
              label={tierName(tier)}
              checked={tiers.includes(tier)}
              onChange={(event) =>
                setTiers(
                  event.target.checked ? [...tiers, tier] : tiers.filter((each) => each !== tier),
                )
              }
            />
          ))}
          {error?.field === 'tiers' ? (
            <p role="alert" className="text-bad-fg text-ui">
              {error.text}
            </p>
          ) : null}
        </fieldset>
        <Field
          id="runner-slots"
          label="Slots"
          hint={`Attempts at once. Left empty, as many as the host offers${offered ? `: ${offered}` : ''}.`}
          error={error?.field === 'slots' ? error.text : null}
          isOptional
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={slots}
              onChange={(event) => setSlots(event.target.value.trim())}
            />
          )}
        </Field>
        {error?.field === null ? (
          <p role="alert" className="text-bad-fg text-ui">
            {error.text}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
