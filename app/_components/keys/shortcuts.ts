import type { NavKey } from '../shell/navigation';

/** Stands for ⌘ on Apple's systems, and for Ctrl elsewhere. */
export const MOD = 'Mod';

/** Every shortcut of the product, as the list behind `?` shows them. */
interface Shortcut {
  /** Pressed one after the other; MOD is held with the next one. */
  keys: readonly string[];
  does: string;
}

export const SHORTCUTS: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: 'Anywhere',
    shortcuts: [
      { keys: [MOD, 'K'], does: 'Search or run a command' },
      { keys: ['?'], does: 'Show this list' },
      { keys: ['/'], does: 'Search or filter the page' },
      { keys: ['['], does: 'Previous chain or session' },
      { keys: [']'], does: 'Next chain or session' },
    ],
  },
  {
    where: 'Go to a page',
    shortcuts: [
      { keys: ['g', 'h'], does: 'Organization home' },
      { keys: ['g', 'n'], does: 'Incidents' },
      { keys: ['g', 'i'], does: 'Approvals' },
      { keys: ['g', 'd'], does: 'Project dashboard' },
      { keys: ['g', 'c'], does: 'Chains' },
      { keys: ['g', 's'], does: 'Sessions' },
      { keys: ['g', 'v'], does: 'Services of the project' },
      { keys: ['g', 'q'], does: 'Ask' },
      { keys: ['g', 'a'], does: 'Activity' },
      { keys: ['g', 'y'], does: 'Analytics' },
      { keys: ['g', 'm'], does: 'Spend' },
      { keys: ['g', 'r'], does: 'Runners' },
      { keys: ['g', 'w'], does: 'Webhooks' },
      { keys: ['g', 'l'], does: 'Audit log' },
      { keys: ['g', 'p'], does: 'Project settings' },
      { keys: ['g', 'o'], does: 'Organization settings' },
    ],
  },
  {
    where: 'In a list',
    shortcuts: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Previous row' },
      { keys: ['Enter'], does: 'Open the row' },
      { keys: ['o'], does: 'Open the row in a new tab' },
    ],
  },
  {
    where: 'On a session',
    shortcuts: [
      { keys: ['p'], does: 'The session it came from' },
      { keys: ['t'], does: 'Its chain' },
    ],
  },
  {
    where: 'In a log',
    shortcuts: [
      { keys: ['f'], does: 'Follow the newest output' },
      { keys: ['e'], does: 'Fold all calls, or open them' },
      { keys: ['n'], does: 'Next problem' },
      { keys: ['N'], does: 'Previous problem' },
    ],
  },
];

/** After `g`. */
export const GO_KEYS: Readonly<Record<string, NavKey>> = {
  h: 'home',
  n: 'incidents',
  i: 'approvals',
  d: 'dashboard',
  c: 'chains',
  s: 'sessions',
  v: 'services',
  q: 'ask',
  a: 'activity',
  y: 'analytics',
  m: 'spend',
  r: 'runners',
  w: 'webhooks',
  l: 'audit',
  p: 'project-settings',
  o: 'organization-settings',
};

const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('main [data-row-link]')];

function focusRow(step: 1 | -1): void {
  const links = rows();
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step;
  links[next]?.focus();
}

function openInNewTab(): void {
  const link = rows().find((each) => each === document.activeElement);
  if (link) window.open(link.href, '_blank', 'noopener');
}

/** What a key does with what stands on the page: rows, a search field, a link that carries it. */
export function pageActOf(key: string): (() => void) | null {
  switch (key) {
    case 'j':
      return rows().length > 0 ? () => focusRow(1) : null;
    case 'k':
      return rows().length > 0 ? () => focusRow(-1) : null;
    case 'o':
      return rows().length > 0 ? openInNewTab : null;
    case '/': {
      const field = document.querySelector<HTMLElement>(
        'main :is(input[type="search"], search input, search select)',
      );
      return field ? () => field.focus() : null;
    }
    default: {
      if (!/^[a-z]$/.test(key)) return null;
      const link = document.querySelector<HTMLElement>(`main [data-key="${key}"]`);
      return link ? () => link.click() : null;
    }
  }
}
