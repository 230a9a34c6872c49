'use client';

import { BellOff, ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { useAct } from '@/app/_components/ui/use-act';
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
  const { act, sayDone } = useAct();
  const [isAsking, setAsking] = useState(false);
  const [span, setSpan] = useState('4h');
  const [reason, setReason] = useState('');
  const ids = { span: useId(), reason: useId() };

  const wake = () => wakeService(target);
  const done = `${target.service} is snoozed.`;
  const snoozeNow = (minutes: number) =>
    act(
      () => snoozeService({ ...target, minutes, reason: '' }),
      () => sayDone(done, wake),
    );

  if (isSnoozed) {
    return (
      <Button look="primary" onClick={() => act(wake)}>
        End the snooze
      </Button>
    );
  }
  return (
    <span className="inline-flex gap-px">
      <Button
        look="primary"
        className="rounded-r-none"
        onClick={() => snoozeNow(20)}
        icon={BellOff}
      >
        Snooze 20 min
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
        <MenuItem onSelect={() => snoozeNow(20)}>For 20 min</MenuItem>
        <MenuItem onSelect={() => snoozeNow(60)}>For 1 h</MenuItem>
        <MenuItem onSelect={() => setAsking(true)}>For another time…</MenuItem>
      </Menu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Snooze ${target.service}`}
        look="primary"
        confirmLabel={`Snooze ${target.service}`}
        effects={['Until then the service is still checked, but problems don’t escalate.']}
        done={done}
        undo={wake}
        onConfirm={async () => {
          const seconds = parseSpan(span);
          if (seconds === null) return 'Enter a time, such as 20m or 1h 30m.';
          return snoozeService({ ...target, minutes: Math.ceil(seconds / 60), reason });
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
