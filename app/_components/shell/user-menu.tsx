'use client';

import { BookOpen, Code, LogOut, UserRound } from 'lucide-react';
import { useTransition } from 'react';
import { Link } from '@/app/_components/ui/link';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu';
import { usePreferences } from './preferences-context';
import type { ShellUser } from './shell-data';

interface UserMenuProps {
  user: ShellUser;
  /** A server action that ends the sign-in and leads away. */
  signOut: () => Promise<void>;
}

export function UserMenu({ user, signOut }: UserMenuProps) {
  const { preferences, change } = usePreferences();
  const [, startTransition] = useTransition();
  return (
    <Menu
      className="min-w-60"
      trigger={
        <button
          type="button"
          className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-surface text-meta text-text-2 hover:bg-hover hover:text-text"
        >
          <span aria-hidden>{initials(user.name)}</span>
          <span className="sr-only">Your menu, {user.name}</span>
        </button>
      }
    >
      <div className="flex flex-col px-2 py-1.5">
        <span className="truncate font-medium text-ui">{user.name}</span>
        <span className="truncate text-meta text-text-3">{user.email}</span>
      </div>
      <MenuSeparator />
      <MenuChoice
        label="Theme"
        value={preferences.theme}
        onChange={(theme) => change({ theme })}
        choices={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <MenuChoice
        label="Times"
        value={preferences.zone}
        onChange={(zone) => change({ zone })}
        choices={[
          { value: 'local', label: `Local (${preferences.localTimeZone})` },
          { value: 'utc', label: 'UTC' },
        ]}
      />
      <MenuChoice
        label="Rows"
        value={preferences.density}
        onChange={(density) => change({ density })}
        choices={[
          { value: 'normal', label: 'Normal' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
      <MenuChoice
        label="Keyboard shortcuts"
        value={preferences.hasShortcuts ? 'on' : 'off'}
        onChange={(choice) => change({ hasShortcuts: choice === 'on' })}
        choices={[
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
        ]}
      />
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/me">
          <UserRound aria-hidden /> Your profile
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href="/docs">
          <BookOpen aria-hidden /> Documentation
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href="/docs/reference">
          <Code aria-hidden /> API reference
        </Link>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => startTransition(signOut)}>
        <LogOut aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.slice(0, 1).toUpperCase() ?? '')
    .join('');
}
