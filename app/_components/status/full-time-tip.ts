'use client';

import { useEffect } from 'react';

/**
 * One tip for all times of a page that are no stop of Tab of their own. It comes on hover, and while
 * something in the time's row has keyboard focus; Escape and leaving take it away. It lies in the top
 * layer, so that no table or log clips it.
 */
export function useFullTimeTips(): void {
  useEffect(() => {
    users += 1;
    if (users === 1) tips = new FullTimeTips();
    return () => {
      users -= 1;
      if (users === 0) tips?.end();
    };
  }, []);
}

let users = 0;
let tips: FullTimeTips | undefined;

const TIMES = 'time[data-full-time]';
const ROWS = 'tr, li, [data-row]';
const GAP_PX = 4;

class FullTimeTips {
  private readonly listening = new AbortController();
  private readonly tip = document.createElement('div');
  private time: Element | null = null;
  private isByFocus = false;

  constructor() {
    this.tip.popover = 'manual';
    this.tip.role = 'tooltip';
    this.tip.className =
      'm-0 fixed w-max max-w-80 rounded-control border border-line bg-surface px-2 py-1 text-meta text-text shadow-menu';
    document.body.append(this.tip);
    const { signal } = this.listening;
    const on = (name: string, listener: (event: Event) => void) =>
      document.addEventListener(name, listener, { signal, capture: true, passive: true });
    on('mouseover', ({ target }) => this.onPointer(elementOf(target)));
    on('focusin', ({ target }) => this.show(timeBeside(elementOf(target)), true));
    on('focusout', () => this.hide());
    on('scroll', () => this.place());
    on('keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Escape') this.hide();
    });
  }

  end(): void {
    this.listening.abort();
    this.tip.remove();
  }

  private onPointer(element: Element | null): void {
    const time = element?.closest(TIMES);
    if (time) this.show(time, false);
    // A log that scrolls below a resting pointer hides no tip of the keyboard's; and the pointer
    // may go onto a tip to read it.
    else if (!this.isByFocus && !this.tip.matches(':hover')) this.hide();
  }

  private show(time: Element | null, isByFocus: boolean): void {
    if (time === null) {
      this.hide();
      return;
    }
    this.isByFocus = isByFocus;
    this.time = time;
    this.tip.textContent = time.getAttribute('data-full-time');
    this.tip.showPopover();
    this.place();
  }

  private place(): void {
    if (this.time === null) return;
    const place = this.time.getBoundingClientRect();
    const { width, height } = this.tip.getBoundingClientRect();
    const isAbove = place.top - height - GAP_PX >= 0;
    const left = Math.min(place.left, document.documentElement.clientWidth - width - GAP_PX);
    this.tip.style.left = `${Math.max(GAP_PX, left)}px`;
    this.tip.style.top = `${isAbove ? place.top - height : place.bottom}px`;
  }

  private hide(): void {
    this.time = null;
    this.tip.hidePopover();
  }
}

function elementOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target : null;
}

/** The time in the row of what has keyboard focus; a click brings none. */
function timeBeside(element: Element | null): Element | null {
  if (!element?.matches(':focus-visible')) return null;
  return element.closest(ROWS)?.querySelector(TIMES) ?? null;
}
