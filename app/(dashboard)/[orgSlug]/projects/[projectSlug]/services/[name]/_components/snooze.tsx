'use client';

import { BellOff, ChevronDown } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field, Input } from '@/app/_components/ui/field';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { parseSpan } from '@/lib/platform/format/duration';
import { snoozeService, wakeService } from '../actions';

interface SnoozeProps {
  organizationSlug: string;
  project: string;
  service: string;
  isSnoozed: boolean;
}

/** Snooze at once for 20 min or 1 h, or for another time with a reason; each can be undone. */
export function Snooze({ isSnoozed, ...target }: SnoozeProps) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const [span, setSpan] = useState('4h');
  const [reason, setReason] = useState('');
  const ids = { span: useId(), reason: useId() };

  async function snooze(minutes: number, why: string): Promise<string | undefined> {
    const answer = await snoozeService({ ...target, minutes, reason: why });
    if (!answer.ok) return answer.error.message;
    toast.success(`${target.service} is snoozed.`, {
      duration: 30_000,
      action: { label: 'Undo', onClick: () => void wake() },
    });
    router.refresh();
    return undefined;
  }

  async function snoozeNow(minutes: number) {
    const error = await snooze(minutes, '');
    if (error) toast.error(error);
  }

  async function wake() {
    const answer = await wakeService(target);
    if (!answer.ok) toast.error(answer.error.message);
    router.refresh();
  }

  if (isSnoozed) {
    return (
      <Button look="primary" onClick={() => void wake()}>
        End the snooze
      </Button>
    );
  }
  return (
    <span className="inline-flex gap-px">
      <Button look="primary" className="rounded-r-none" onClick={() => void snoozeNow(20)}>
        <BellOff aria-hidden /> Snooze 20 min
      </Button>
      <Menu
        trigger={
          <Button
            look="primary"
            size="icon"
            className="rounded-l-none"
            aria-label="Snooze for another time"
          >
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => void snoozeNow(20)}>For 20 min</MenuItem>
        <MenuItem onSelect={() => void snoozeNow(60)}>For 1 h</MenuItem>
        <MenuItem onSelect={() => setAsking(true)}>For another time…</MenuItem>
      </Menu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Snooze ${target.service}`}
        look="primary"
        confirmLabel={`Snooze ${target.service}`}
        effects={['Until then the service is still checked, but problems don’t escalate.']}
        onConfirm={async () => {
          const seconds = parseSpan(span);
          if (seconds === null) return 'Enter a time, such as 20m or 1h 30m.';
          return snooze(Math.ceil(seconds / 60), reason);
        }}
      >
        <Field id={ids.span} label="For" hint="Such as 20m, 1h 30m or 2d.">
          <Input value={span} onChange={(event) => setSpan(event.target.value)} />
        </Field>
        <Field id={ids.reason} label="Reason" isOptional hint="Shown here and in the audit log.">
          <Input
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </ConfirmDialog>
    </span>
  );
}
