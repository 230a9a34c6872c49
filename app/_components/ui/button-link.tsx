import type { ComponentProps } from 'react';
import { Button, type ButtonProps } from './button';
import { Link } from './link';

type ButtonLinkProps = ComponentProps<typeof Link> & Pick<ButtonProps, 'look' | 'size' | 'icon'>;

/** A link with the look of a button. */
export function ButtonLink({ look, size, icon: Icon, children, ...link }: ButtonLinkProps) {
  return (
    <Button asChild look={look} size={size}>
      <Link {...link}>
        {Icon ? <Icon aria-hidden /> : null}
        {children}
      </Link>
    </Button>
  );
}
