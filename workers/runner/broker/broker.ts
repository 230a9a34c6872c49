/**
 * The command broker of one attempt: runs outside the sandbox what the tier's rules allow, and
 * nothing else. The sandbox's programs reach it by their shims, and whatever else runs there may
 * speak to it directly: it gets no more by that.
 */
import { randomUUID } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { logger } from '@/lib/platform/logger';
import { type AskedCommand, type CommandOptions, createCommands } from './commands';
import { type BrokerRequest, createRequestReader } from './request';

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
