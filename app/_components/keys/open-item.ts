/** A chain or session that is open, taken from the address. */
export interface OpenItem {
  kind: 'chains' | 'sessions';
  number: number;
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  /** The open tab of a session, such as `/report`. */
  tab: string;
}

const ADDRESS = /^(\/[^/]+\/projects\/[^/]+)\/(chains|sessions)\/(\d{1,9})(\/[\w-]+)?$/;

/** Returns what the address shows; null where it is neither a chain nor a session. */
export function openItemOf(pathname: string): OpenItem | null {
  const match = ADDRESS.exec(pathname);
  if (!match) return null;
  const [, root = '', kind, number, tab = ''] = match;
  return { kind: kind === 'chains' ? 'chains' : 'sessions', number: Number(number), root, tab };
}
