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
  /** Stands at the end of the line: of which project, of which kind. */
  detail?: string;
  /** Other words by which it is found. */
  words?: string;
  /** Text that was searched, in place of the label; found words are marked. */
  snippet?: readonly { text: string; isMatch: boolean }[];
  act: PaletteAct;
  /** Why it can't be chosen, and who can; it stays listed. */
  refusal?: string;
}

export interface PaletteGroup {
  heading: string;
  entries: PaletteEntry[];
}
