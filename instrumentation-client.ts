import { guardedFetch } from '@/app/_components/reach/guarded-fetch';
import { serverReach } from '@/app/_components/reach/server-reach';
import { reportUnopenedPage } from '@/app/_components/reach/unopened-page';
import { reportChange } from '@/app/_components/shell/live-hold';

// Next runs this file in the browser before the page becomes interactive, so the router's first
// request is guarded as well.
window.fetch = guardedFetch(window.fetch.bind(window), serverReach, {
  url: () => window.location.href,
  stay: (status) => {
    // The router takes this as a navigation to where it is, which replaces the one under way.
    window.history.replaceState(null, '', window.location.href);
    reportUnopenedPage(status);
  },
  refresh: reportChange,
});

function checkIfDown() {
  if (!serverReach.isUp && !document.hidden) void serverReach.check();
}

window.addEventListener('online', checkIfDown);
window.addEventListener('offline', () => void serverReach.check());
document.addEventListener('visibilitychange', checkIfDown);
