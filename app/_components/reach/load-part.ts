import { serverReach } from './server-reach';

/**
 * Loads a part of the code, and again once the server is back. A component whose code can't be
 * loaded would put the error page in place of the page, and with it what was typed there.
 *
 * @throws what `load` throws when the server answers: the page is older than the server
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await load();
    } catch (error) {
      if ((await serverReach.check()) && failures > 0) throw error;
      await serverReach.untilUp();
    }
  }
}
