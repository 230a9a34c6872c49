'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { Kbd } from '../ui/kbd';
import { modKey, type Platform } from './platform';

const PlatformContext = createContext<Platform>('other');

interface PlatformProviderProps {
  /** As the server read it from the request, so that both sides draw the same key. */
  platform: Platform;
  children: ReactNode;
}

export function PlatformProvider({ platform, children }: PlatformProviderProps) {
  return <PlatformContext value={platform}>{children}</PlatformContext>;
}

/** Returns how a key with the reader's modifier is written: `⌘Enter` or `Ctrl Enter`. */
export function useModKey(key: string): string {
  return modKey(useContext(PlatformContext), key);
}

interface ModKbdProps {
  children: string;
  className?: string;
}

/** A key that is pressed with the modifier of the reader's platform. */
export function ModKbd({ children, className }: ModKbdProps) {
  return <Kbd {...(className ? { className } : {})}>{useModKey(children)}</Kbd>;
}
