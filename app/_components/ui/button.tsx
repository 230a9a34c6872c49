import { cva, type VariantProps } from 'class-variance-authority';
import type { LucideIcon } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const buttonStyle = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium text-ui whitespace-nowrap transition-colors duration-120 select-none disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-text-3 aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-text-3 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      /** At most one primary button per page. */
      look: {
        primary: 'border-ink bg-ink text-on-ink hover:border-ink-hover hover:bg-ink-hover',
        secondary: 'border-control/60 bg-surface text-text hover:bg-hover',
        quiet: 'border-transparent bg-transparent text-text-2 hover:bg-hover hover:text-text',
        danger: 'border-bad-mark bg-bad-bg text-bad-fg hover:border-bad-fg',
      },
      size: {
        md: 'h-control px-3',
        sm: 'h-7 px-2 pointer-coarse:h-control',
        icon: 'size-control p-0',
        'icon-sm': 'size-7 p-0 pointer-coarse:size-control',
      },
    },
    defaultVariants: { look: 'secondary', size: 'md' },
  },
);

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  /** Renders its only child (a link) with the button's look. */
  asChild?: boolean;
  /** Before its words. */
  icon?: LucideIcon;
}

/** Not a submit button unless `type` says so. An icon button needs an `aria-label`. */
export function Button(props: ButtonProps) {
  const { look, size, asChild, icon: Icon, className, type, children, ...rest } = props;
  const style = cn(buttonStyle({ look, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={style} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button type={type ?? 'button'} className={style} {...rest}>
      {Icon ? <Icon aria-hidden /> : null}
      {children}
    </button>
  );
}
