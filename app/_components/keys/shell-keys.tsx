'use client';

import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { loadPart } from '../reach/load-part';
import { navItems } from '../shell/navigation';
import { type OpenItem, openItemOf } from './open-item';
import { GO_KEYS, pageActOf } from './shortcuts';
import { useKeys } from './use-keys';

const ShortcutsDialog = dynamic(
  async () => (await loadPart(() => import('./shortcuts-dialog'))).ShortcutsDialog,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

/** `g` waits this long for the letter of a page. */
const CHORD_MS = 1_500;

interface ShellKeysProps {
  isListOpen: boolean;
  setListOpen: (isOpen: boolean) => void;
}

/** The keys that work on every page, and the list of them all. */
export function ShellKeys({ isListOpen, setListOpen }: ShellKeysProps) {
  const router = useRouter();
  const pathname = usePathname();
  const goUntil = useRef(0);
  const [wasListOpen, setWasListOpen] = useState(isListOpen);
  if (isListOpen && !wasListOpen) setWasListOpen(true);

  async function openSibling(item: OpenItem, side: 'previous' | 'next') {
    try {
      const { siblingHref } = await loadPart(() => import('./sibling'));
      const href = await siblingHref(item, side);
      if (href) return router.push(href);
      const noun = item.kind === 'chains' ? 'chain' : 'session';
      toast(`This is the ${side === 'next' ? 'newest' : 'oldest'} ${noun} of the project.`);
    } catch {
      toast.error('The server didn’t answer. Try again in a moment.');
    }
  }

  useKeys(({ key, timeStamp }) => {
    const isGoing = timeStamp < goUntil.current;
    goUntil.current = 0;
    const page = isGoing ? GO_KEYS[key] : undefined;
    const link = navItems(pathname).find((each) => each.key === page);
    if (link) return () => router.push(link.href);
    if (key === '?') return () => setListOpen(true);
    const item = key === '[' || key === ']' ? openItemOf(pathname) : null;
    if (item) return () => void openSibling(item, key === '[' ? 'previous' : 'next');
    if (key !== 'g') return pageActOf(key);
    return () => {
      goUntil.current = timeStamp + CHORD_MS;
    };
  });

  return wasListOpen ? <ShortcutsDialog isOpen={isListOpen} setOpen={setListOpen} /> : null;
}
