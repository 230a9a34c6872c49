/** As `lib/platform/http/build-id.ts` sets it. */
const BUILD_ID_HEADER = 'x-tierwatch-build';

/**
 * Knows whether the server runs another build than this page came from. Next then loads the whole
 * page again on the next refresh, which loses what was typed; so refreshes stop, and the reader is
 * asked to reload.
 */
export class PageVersion {
  private isOld = false;
  private readonly listeners = new Set<() => void>();

  /** `own`: the build that this page came from; empty if unknown, and in development. */
  constructor(private readonly own: string) {}

  readonly isOutdated = (): boolean => this.isOld;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Records which build responded. @returns whether it was another build */
  note(response: Response): boolean {
    const build = response.headers.get(BUILD_ID_HEADER);
    const isOther = build !== null && build !== '' && this.own !== '' && build !== this.own;
    if (isOther && !this.isOld) {
      this.isOld = true;
      for (const listener of [...this.listeners]) listener();
    }
    return isOther;
  }
}

export const pageVersion = new PageVersion(
  typeof document === 'undefined' ? '' : (document.documentElement.dataset.build ?? ''),
);
