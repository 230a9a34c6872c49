import type { NavKey } from '../shell/navigation';

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
