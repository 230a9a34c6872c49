import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { demoFaultSchema, demoServiceNameSchema } from '@/lib/projects/demo-service/schema';
import type { Supervisor } from './supervisor';

/** Takes orders on loopback. One at a time: a restart and a fault never run into each other. */
export function createControlServer(supervisor: Supervisor, token: string): Server {
  let queue: Promise<unknown> = Promise.resolve();
  return createServer((request, response) => {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (!isAllowed(request, token)) {
      send(401, { ok: false, message: 'The token of the demo service is missing or wrong.' });
      return;
    }
    queue = queue
      .then(() => answer(supervisor, request.method ?? '', request.url ?? ''))
      .then((body) => send(body === null ? 404 : 200, body ?? UNKNOWN))
      .catch((error: unknown) => send(500, { ok: false, message: String(error) }));
  });
}

const UNKNOWN = { ok: false, message: 'There is no such order or service.' };

async function answer(supervisor: Supervisor, method: string, url: string): Promise<unknown> {
  if (method === 'GET' && url === '/status') return supervisor.status();
  if (method !== 'POST') return null;
  const [, order, subject] = url.split('/');
  const service = demoServiceNameSchema.safeParse(subject).data;
  const fault = demoFaultSchema.safeParse(subject).data;
  if (order === 'restart' && service) return supervisor.restart(service);
  if (order === 'repair-config' && service) return supervisor.repairConfig(service);
  if (order === 'break' && fault) return supervisor.break(fault);
  return null;
}

function isAllowed(request: IncomingMessage, token: string): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(request.headers.authorization ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
