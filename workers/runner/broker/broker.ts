/**
 * The command broker of one attempt: runs outside the sandbox what the tier's rules allow, and
 * nothing else. The sandbox's programs reach it by their shims, and whatever else runs there may
 * speak to it directly: it gets no more by that.
 */

import { randomUUID } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { logger } from '@/lib/platform/logger';
import { type AskedCommand, type CommandOptions, createCommands } from './commands';

export interface Broker {
  /** Answers on a port of the sandbox. */
  serve(server: Server): void;
  /** Ends all commands, and resolves when they have ended. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 300;
/** For a command's other connections to be used, once it has started. */
const REQUEST_MS = 30_000;
/** For a request to be complete. A command's other connections are open while it waits for approval. */
const CONNECTION_MS = 180_000;
const FORGET_MS = 1_000;

interface Attached extends AskedCommand {
  /** Somebody waits for its exit code; without, the command is ended. */
  isAwaited: boolean;
}

export function createBroker(options: CommandOptions): Broker {
  const commands = createCommands(options);
  /** By the id that its first connection got. */
  const attachable = new Map<string, Attached>();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  async function answer(request: BrokerRequest, socket: Socket): Promise<void> {
    if ('id' in request) return attach(request, socket);
    const id = randomUUID();
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const asked =
      request.kind === 'run'
        ? await commands.start(request.cwd, request.argv, gone.signal)
        : commands.refuseTooLong(request.program, request.why);
    const attached: Attached = { ...asked, isAwaited: false };
    attachable.set(id, attached);
    void attached.exitCode.then(() => forgetLater(id));
    setTimeout(() => {
      if (!attached.isAwaited) attached.run.kill();
    }, REQUEST_MS).unref();
    socket.write(`${id}\n`);
    // Destroyed, not only ended: the program has to find its pipe closed.
    socket.once('close', () => attached.run.stdout.destroy());
    attached.run.stdout.pipe(socket);
  }

  function attach({ kind, id }: { kind: 'errors' | 'end'; id: string }, socket: Socket): void {
    const attached = attachable.get(id);
    if (!attached) {
      socket.destroy();
      return;
    }
    if (kind === 'errors') {
      socket.once('close', () => attached.run.stderr.destroy());
      attached.run.stderr.pipe(socket);
      return;
    }
    attached.isAwaited = true;
    // The shim has ended, so what it stands for ends as well.
    socket.once('close', () => attached.run.kill());
    void attached.exitCode.then((code) => {
      socket.end(`${code}\n`);
      forgetSoon(id);
    });
  }

  /** Its output may still be on its way. */
  function forgetSoon(id: string): void {
    setTimeout(() => attachable.delete(id), FORGET_MS).unref();
  }

  /** Its other connections may still be on their way. */
  function forgetLater(id: string): void {
    setTimeout(() => attachable.delete(id), REQUEST_MS).unref();
  }

  function listen(socket: Socket): void {
    sockets.add(socket);
    const reader = createRequestReader();
    const limit = setTimeout(() => socket.destroy(), CONNECTION_MS);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(limit);
      sockets.delete(socket);
    });
    socket.on('data', function read(chunk: Buffer) {
      try {
        const request = reader.push(chunk);
        if (request === null) return;
        clearTimeout(limit);
        socket.off('data', read);
        socket.resume();
        answer(request, socket).catch((error) => {
          logger.error({ error: String(error) }, 'brokered command failed');
          socket.destroy();
        });
      } catch {
        socket.destroy();
      }
    });
  }

  return {
    serve(server) {
      servers.push(server);
      server.maxConnections = MAX_CONNECTIONS;
      server.on('connection', listen);
      server.on('error', (error) => logger.warn({ error: String(error) }, 'broker port failed'));
    },
    async close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
      await commands.close();
      attachable.clear();
    },
  };
}

/**
 * Requests to the command broker: texts that each end with a zero byte, which no argument can
 * contain.
 *
 *     run, folder, number of arguments, program, arguments…   answers its id, then its stdout
 *     errors, id                                              answers its stderr
 *     end, id                                                 answers its exit code
 */
type BrokerRequest =
  | { kind: 'run'; cwd: string; argv: string[] }
  /** More than a command may have; the program, and why. */
  | { kind: 'too_long'; program: string; why: string }
  | { kind: 'errors' | 'end'; id: string };

/**
 * Limit for a whole request. Anything that passes it fits into the event that records the command, so
 * no argument can be hidden by a cut.
 */
const MAX_BYTES = 32_000;
const MAX_ARGUMENTS = 500;

export interface RequestReader {
  /** Returns the request once it is complete. @throws Error if it can't become one */
  push(chunk: Buffer): BrokerRequest | null;
}

export function createRequestReader(): RequestReader {
  const texts: Buffer[] = [];
  let rest: Buffer[] = [];
  let bytes = 0;

  /** How many texts make the request; null while that isn't known. */
  function expected(): number | null {
    const [kind] = texts.map(String);
    if (kind === undefined) return null;
    if (kind === 'errors' || kind === 'end') return 2;
    if (kind !== 'run') throw new Error('There is no such request.');
    const count = texts[2]?.toString();
    if (count === undefined) return null;
    if (!/^[1-9]\d{0,6}$/.test(count)) throw new Error('It has no number of arguments.');
    return 3 + Number(count);
  }

  function tooLong(why: string): BrokerRequest {
    return { kind: 'too_long', program: texts[3]?.toString() ?? '', why };
  }

  return {
    push(chunk) {
      bytes += chunk.length;
      let from = 0;
      const limit = Math.max(0, chunk.length - Math.max(0, bytes - MAX_BYTES));
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
        if (end >= limit) break;
        texts.push(Buffer.concat([...rest, chunk.subarray(from, end)]));
        rest = [];
        from = end + 1;
        const count = expected();
        if (texts.length === count) return request(texts.map(String));
        if (count !== null && texts.length >= 4 && count - 3 > MAX_ARGUMENTS) {
          return tooLong(`It has ${count - 4} arguments. A command may have ${MAX_ARGUMENTS - 1}.`);
        }
      }
      if (bytes > MAX_BYTES) {
        return tooLong(`It is longer than the ${MAX_BYTES / 1_000} kB that a command may have.`);
      }
      // Copied, because a slice would keep the whole chunk in memory.
      rest.push(Buffer.from(chunk.subarray(from)));
      return null;
    },
  };
}

function request([kind = '', ...texts]: readonly string[]): BrokerRequest {
  if (kind === 'run') return { kind, cwd: texts[0] ?? '', argv: texts.slice(2) };
  return { kind: kind === 'end' ? 'end' : 'errors', id: texts[0] ?? '' };
}
