import type { Page, Request } from '@playwright/test';

const STREAMS = /\/api\/live\?|\/api\/v1\/sessions\/[^/]+\/events\?/;

/** Counts the event streams that a page holds open. */
export class OpenStreams {
  private readonly open = new Set<Request>();
  /** How many there ever were at the same time. */
  most = 0;

  constructor(page: Page) {
    page.on('request', (request) => {
      if (!STREAMS.test(request.url())) return;
      this.open.add(request);
      this.most = Math.max(this.most, this.open.size);
    });
    page.on('requestfinished', (request) => this.open.delete(request));
    page.on('requestfailed', (request) => this.open.delete(request));
  }

  get count(): number {
    return this.open.size;
  }
}
