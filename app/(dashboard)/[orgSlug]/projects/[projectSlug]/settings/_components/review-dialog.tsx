import type { ReactNode } from 'react';
import { Dialog } from '@/app/_components/ui/dialog';
import type { FieldChange } from '@/lib/projects/difference';
import { DifferenceList } from './difference-list';
import { changesDecisions } from './draft';
import { PolicyEffect, type PolicyEffectProps } from './policy-effect';
import { Warning } from './rule-list';

interface ReviewDialogProps extends PolicyEffectProps {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  changes: readonly FieldChange[];
  /** What to know about the rules. */
  warnings?: readonly string[];
  /** Buttons; the one that saves last. */
  footer: ReactNode;
}

/** What the next version changes, before it is saved: its settings, and decisions about commands. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { open, onOpenChange, changes, warnings = [], footer, ...effect } = props;
  const hasEffect = changesDecisions(changes);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`What v${effect.baseVersion + 1} changes`}
      form={hasEffect ? 'review' : 'dialog'}
      className="w-[min(44rem,calc(100vw-2rem))]"
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        <DifferenceList changes={changes} />
        {warnings.map((text) => (
          <Warning key={text} text={text} />
        ))}
        {hasEffect ? <PolicyEffect key={effect.baseVersion} {...effect} /> : null}
      </div>
    </Dialog>
  );
}
