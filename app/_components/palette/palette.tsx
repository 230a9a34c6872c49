'use client';

import { Command } from 'cmdk';
import { usePathname } from 'next/navigation';
import { Dialog as RadixDialog } from 'radix-ui';
import { useState } from 'react';
import { usePalette } from '../shell/palette-context';
import { usePreferences } from '../shell/preferences-context';
import type { ShellData } from '../shell/shell-data';
import { type PaletteAct, type PaletteEntry, paletteGroups } from './entries';

interface PaletteProps {
  data: ShellData;
  onAct: (act: PaletteAct) => void;
}

/** Everything that can be reached or done from here, found by typing. */
export function Palette({ data, onAct }: PaletteProps) {
  const { isOpen, setOpen } = usePalette();
  const { preferences } = usePreferences();
  const pathname = usePathname();
  const [typed, setTyped] = useState('');

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setTyped('');
  }

  function choose({ act }: PaletteEntry) {
    changeOpen(false);
    onAct(act);
  }

  return (
    <RadixDialog.Root open={isOpen} onOpenChange={changeOpen}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <RadixDialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 animate-enter overflow-hidden rounded-dialog border border-line bg-surface shadow-dialog max-md:top-4"
        >
          <RadixDialog.Title className="sr-only">Search pages and actions</RadixDialog.Title>
          <Command label="Search pages and actions" loop shouldFilter={false}>
            <Command.Input
              autoFocus
              value={typed}
              onValueChange={setTyped}
              placeholder="Page, project, #12, an id, or what to do"
              className="h-12 w-full border-line border-b bg-transparent px-4 text-body -outline-offset-2 placeholder:text-text-3"
            />
            <Command.List className="max-h-[min(26rem,60vh)] overflow-y-auto p-1">
              <Command.Empty className="px-3 py-4 text-text-2 text-ui">
                Nothing by this name. A chain or session is found by its number inside its project,
                or by its id anywhere.
              </Command.Empty>
              {paletteGroups(data, pathname, preferences, typed).map(({ heading, entries }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-text-3"
                >
                  {entries.map((entry) => (
                    <Entry key={entry.key} entry={entry} onChoose={choose} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface EntryProps {
  entry: PaletteEntry;
  onChoose: (entry: PaletteEntry) => void;
}

function Entry({ entry, onChoose }: EntryProps) {
  return (
    <Command.Item
      value={entry.key}
      disabled={entry.refusal !== undefined}
      onSelect={() => onChoose(entry)}
      className="flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-badge px-3 text-ui data-[disabled=true]:cursor-default data-[selected=true]:bg-hover data-[disabled=true]:text-text-3 pointer-coarse:min-h-11"
    >
      <span className="min-w-0 truncate">{entry.label}</span>
      {entry.refusal ? <span className="shrink-0 text-meta">{entry.refusal}</span> : null}
    </Command.Item>
  );
}
