import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '@/app/_components/ui/button';
import type { Refusal } from './permission';

interface NeedsRoleProps extends Pick<ButtonProps, 'look' | 'size'> {
  refusal: Refusal;
  /** The words of the control that stands here disabled. */
  label: ReactNode;
  children: ReactNode;
}

/** The control itself, or a disabled one that says who can. */
export function NeedsRole({ refusal, label, children, look, size }: NeedsRoleProps) {
  if (refusal === null) return children;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
      <span className="text-meta text-text-3">{refusal}</span>
      <Button disabled look={look} size={size}>
        {label}
      </Button>
    </span>
  );
}
