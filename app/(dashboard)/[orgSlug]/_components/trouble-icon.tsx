'use client';

import { useEffect } from 'react';

const DOTS = { bad: '#e74e4c', wait: '#e8b048' } as const;

/** The mark of Tierwatch as in app/icon.svg, with a dot in place of the third bar. */
function iconOf(tone: keyof typeof DOTS): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a1d23"/><rect x="7" y="18" width="5" height="7" rx="1" fill="#927bd0"/><rect x="13.5" y="12.5" width="5" height="12.5" rx="1" fill="#a38de7"/><circle cx="23" cy="9" r="8" fill="${DOTS[tone]}" stroke="#1a1d23" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/**
 * The icon of the tab while something needs attention. Of several icons a browser shows the last
 * one, and Next adds its own again with the metadata of each page, so that this one is moved behind it.
 */
export function TroubleIcon({ tone }: { tone: 'bad' | 'wait' | null }) {
  useEffect(() => {
    if (tone === null) return;
    const icon = document.createElement('link');
    icon.rel = 'icon';
    icon.type = 'image/svg+xml';
    icon.href = iconOf(tone);
    function putLast() {
      const icons = document.querySelectorAll('link[rel="icon"]');
      if (icons.item(icons.length - 1) !== icon) document.head.append(icon);
    }
    putLast();
    const observer = new MutationObserver(putLast);
    observer.observe(document.head, { childList: true });
    return () => {
      observer.disconnect();
      icon.remove();
    };
  }, [tone]);
  return null;
}
