import { cva, type VariantProps } from 'class-variance-authority';
import { CircleDot, LoaderCircle } from 'lucide-react';
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
  /** Shows a spinner, and says that a press does nothing now. */
  isPending?: boolean;
}

/** Not a submit button unless `type` says so. An icon button needs an `aria-label`. */
export function Button(props: ButtonProps) {
  const { look, size, asChild, isPending, className, type, children, ...rest } = props;
  const style = cn(buttonStyle({ look, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={style} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type ?? 'button'}
      className={style}
      {...rest}
      aria-disabled={isPending || rest['aria-disabled']}
    >
      {isPending ? <Spinner /> : null}
      {children}
    </button>
  );
}

/** Rotates slowly; with reduced motion it is a different, static shape. */
export function Spinner({ className }: { className?: string }) {
  return (
    <>
      <LoaderCircle
        aria-hidden
        className={cn('size-4 animate-turn motion-reduce:hidden', className)}
      />
      <CircleDot
        aria-hidden
        className={cn('hidden size-4 motion-reduce:inline-block', className)}
      />
    </>
  );
}
