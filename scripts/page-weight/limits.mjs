/**
 * What a page may weigh, in kB (1,000 bytes) after gzip. Scripts are what the browser loads before
 * a page is alive; what a page loads later, on a click or when idle, is not in its figure. Bring a
 * page down before a limit is raised: load what is not seen at once by `import()`.
 */

/**
 * Next's own runtime: what every page loads of `rootMainFiles`, without the file that holds React DOM
 * and our `instrumentation-client.ts`. Recorded at the build with next 16.4.6, which groups these
 * files differently when that one exists; measure it again when the pinned version changes, since
 * we can't reduce it.
 */
export const NEXT_RUNTIME_KB = 61;

/** Scripts that all pages of an organization share: React DOM, the shell, its menus, icons, toasts. */
export const SHARED_KB = 189 + NEXT_RUNTIME_KB;

/** Of one kind each page is the first that its route fits; what it loads on top of the shared. */
export const KINDS = [
  { kind: 'session', limitKb: 45, routes: /\/sessions\/\[number\]/ },
  { kind: 'conversation', limitKb: 30, routes: /\/ask\/\[conversationId\]/ },
  { kind: 'settings', limitKb: 60, routes: /\/settings(\/|$)/ },
  {
    kind: 'dashboard',
    limitKb: 25,
    routes: /^\/\[orgSlug\](\/analytics|\/projects\/\[projectSlug\])?$/,
  },
  { kind: 'list or form', limitKb: 20, routes: /./ },
];

/** The pictures of the plots, which a dashboard loads once it is idle. */
export const CHARTS_KB = 130;

/** One style sheet for all pages. */
export const STYLES_KB = 25;

/** Inter and JetBrains Mono, as they come: woff2 is compressed already. */
export const FONTS_KB = 89;
