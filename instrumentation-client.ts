import { reportChange } from '@/app/_components/live/report-change';
import { guardedFetch } from '@/app/_components/reach/guarded-fetch';
import { pageVersion } from '@/app/_components/reach/page-version';
import { pendingNavigation, reportUnopenedPage } from '@/app/_components/reach/pending-navigation';
import { serverReach } from '@/app/_components/reach/server-reach';

// Next runs this file in the browser before the page becomes interactive, so the router's first
// request is guarded as well.
window.fetch = guardedFetch(window.fetch.bind(window), serverReach, pageVersion, {
  url: () => window.location.href,
  opening: () => pendingNavigation.begin(window.location.href),
  stay: (status) => {
    replaceRequestUnderWay();
    reportUnopenedPage(status);
  },
  drop: replaceRequestUnderWay,
  refresh: reportChange,
});

/** The router takes this as a navigation to where it is, which replaces what is under way. */
function replaceRequestUnderWay() {
  window.history.replaceState(null, '', window.location.href);
}

function checkIfDown() {
  if (!serverReach.isUp && !document.hidden) void serverReach.check();
}

window.addEventListener('online', checkIfDown);
window.addEventListener('offline', () => void serverReach.check());
document.addEventListener('visibilitychange', checkIfDown);
