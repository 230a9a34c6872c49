// @ts-check
import { createServer } from 'node:net';
import { endWithSupervisor } from './lifeline.mjs';

endWithSupervisor();

createServer((socket) => {
  // A probe that connects and goes away at once resets the connection.
  socket.on('error', () => socket.destroy());
  socket.end('220 demo-db ready\n');
}).listen(Number(process.argv[2]), '127.0.0.1');
