// @ts-check
import { createServer } from 'node:http';
import { endWithSupervisor } from './lifeline.mjs';

endWithSupervisor();

createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/health') response.end('{"status":"ok"}\n');
  else response.end('{"orders":[]}\n');
}).listen(Number(process.argv[2]), '127.0.0.1');
