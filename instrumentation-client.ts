import { toast } from 'sonner';
import { guardedFetch } from '@/app/_components/reach/guarded-fetch';
import { serverReach } from '@/app/_components/reach/server-reach';
import { reportChange } from '@/app/_components/shell/live-hold';

// Next runs this file in the browser before the page becomes interactive, so the router's first
// request is guarded as well.
window.fetch = guardedFetch(window.fetch.bind(window), serverReach, {
  url: () => window.location.href,
  stay: (status) => {
    // The router takes this as a navigation to where it is, which replaces the one under way.
    window.history.replaceState(null, '', window.location.href);
    const cause =
      status === null ? 'Can’t reach Tierwatch' : `Tierwatch couldn’t open that page (${status})`;
    toast.error(
      `${cause}, so this page stays open with what you entered. ${status === null ? 'Try again when the connection is back.' : 'Try again later.'}`,
      { id: 'unopened-page' },
    );
  },
  refresh: reportChange,
});

function checkIfDown() {
  if (!serverReach.isUp && !document.hidden) void serverReach.check();
}

window.addEventListener('online', checkIfDown);
window.addEventListener('offline', () => void serverReach.check());
document.addEventListener('visibilitychange', checkIfDown);
