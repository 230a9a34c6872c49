import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Tone, toneStyle } from '../status/tone';
import { cn } from './cn';

interface BannerProps {
  tone: Tone;
  icon: LucideIcon;
  /** What holds, since when, and what that means, in one line. */
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** A one-line message that stays visible while it applies. */
export function Banner({ tone, icon: Icon, children, action, className }: BannerProps) {
  const look = toneStyle[tone];
  return (
    <div
      role="status"
      className={cn(
        'flex min-h-9 items-center gap-2 border-line border-b px-gutter py-1 text-ui max-md:px-4',
        look.bg,
        look.fg,
        className,
      )}
    >
      <Icon aria-hidden className={cn('size-4 shrink-0', look.mark)} />
      <p className="min-w-0 flex-1">{children}</p>
      {action}
    </div>
  );
}
