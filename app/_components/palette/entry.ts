import type { Preferences } from '../shell/preferences';

export type PaletteAct =
  | { kind: 'go'; href: string }
  /** To the page of a chain, session, project or runner whose id was pasted. */
  | { kind: 'find'; id: string }
  | { kind: 'run'; project: string; isDryRun: boolean }
  | { kind: 'copy-link' }
  | { kind: 'prefer'; change: Partial<Preferences> }
  | { kind: 'keys' };

export interface PaletteEntry {
  key: string;
  label: string;
  /** Other words by which it is found. */
  words?: string;
  act: PaletteAct;
  /** Why it cannot be chosen; it stays listed. */
  refusal?: string;
}
