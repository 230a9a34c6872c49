import { openHintStream } from './hint-stream';
import { type Port, SharedConnection } from './shared-connection';

/** The script of the SharedWorker that all tabs of a sign-in share. */
const connection = new SharedConnection(openHintStream);

addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports) connection.accept(port as Port);
});
