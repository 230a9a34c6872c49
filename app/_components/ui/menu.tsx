'use client';

import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

interface MenuProps {
  trigger: ReactNode;
  className?: string;
  children: ReactNode;
}

const itemStyle =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-badge px-2 py-1 text-ui outline-none select-none data-[disabled]:cursor-not-allowed data-[disabled]:text-text-3 data-[highlighted]:bg-hover pointer-coarse:min-h-10 [&_svg]:size-4 [&_svg]:shrink-0';

export function Menu({ trigger, className, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 animate-enter overflow-y-auto rounded-card border border-line bg-surface p-1 text-text shadow-menu',
            className,
          )}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps extends Omit<ComponentProps<typeof DropdownMenu.Item>, 'disabled'> {
  /** Why it cannot be chosen now; the item stays listed with this sentence. */
  disabledReason?: string | null;
  look?: 'plain' | 'danger';
  /** Before its words. */
  icon?: LucideIcon;
}

export function MenuItem({
  disabledReason,
  look = 'plain',
  icon: Icon,
  className,
  children,
  asChild,
  ...rest
}: MenuItemProps) {
  const style = cn(itemStyle, look === 'danger' && 'text-bad-fg', className);
  if (asChild) {
    return (
      <DropdownMenu.Item asChild className={style} {...rest}>
        {children}
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item disabled={Boolean(disabledReason)} className={style} {...rest}>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-center gap-2">
          {Icon ? <Icon aria-hidden /> : null}
          {children}
        </span>
        {disabledReason ? <span className="text-meta text-text-3">{disabledReason}</span> : null}
      </span>
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A small set of options, one of which is selected. Choosing keeps the menu open. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup
      aria-label={props.label}
      value={props.value}
      onValueChange={(next) => {
        const chosen = props.choices.find((choice) => choice.value === next);
        if (chosen) props.onChange(chosen.value);
      }}
    >
      <DropdownMenu.Label className="px-2 pt-2 pb-1 text-meta text-text-3">
        {props.label}
      </DropdownMenu.Label>
      {props.choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => event.preventDefault()}
          className={itemStyle}
        >
          <span className="flex-1">{choice.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}
