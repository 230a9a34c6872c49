import type { NavKey } from '../shell/navigation';

/** Every shortcut of the product, as the list behind `?` shows them. */
interface Shortcut {
  /** Pressed one after the other. */
  keys: readonly string[];
  does: string;
}

export const SHORTCUTS: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: 'Anywhere',
    shortcuts: [
      { keys: ['⌘K'], does: 'Find a page, a chain or an act (Ctrl K)' },
      { keys: ['?'], does: 'This list' },
      { keys: ['/'], does: 'Search or filter what is shown' },
      { keys: ['g', 'h'], does: 'Go home' },
      { keys: ['g', 'c'], does: 'Go to chains' },
      { keys: ['g', 's'], does: 'Go to sessions' },
      { keys: ['g', 'q'], does: 'Go to the questions of the project' },
      { keys: ['g', 'r'], does: 'Go to runners' },
      { keys: ['g', 'w'], does: 'Go to webhooks' },
      { keys: ['g', 'a'], does: 'Go to activity' },
      { keys: ['g', 'p'], does: 'Go to settings of the project or organization' },
    ],
  },
  {
    where: 'In a list',
    shortcuts: [
      { keys: ['j'], does: 'Next row' },
      { keys: ['k'], does: 'Row before' },
      { keys: ['Enter'], does: 'Open the row' },
      { keys: ['o'], does: 'Open the row in a new tab' },
    ],
  },
  {
    where: 'On a session',
    shortcuts: [
      { keys: ['p'], does: 'The session it came from' },
      { keys: ['t'], does: 'Its chain' },
      { keys: ['f'], does: 'Follow the log' },
      { keys: ['e'], does: 'Fold all calls, or open them' },
      { keys: ['n'], does: 'Next problem in the log' },
      { keys: ['N'], does: 'Problem before' },
    ],
  },
];

/** After `g`. */
export const GO_KEYS: Readonly<Record<string, NavKey>> = {
  h: 'home',
  c: 'chains',
  s: 'sessions',
  q: 'ask',
  r: 'runners',
  w: 'webhooks',
  a: 'activity',
  p: 'settings',
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
