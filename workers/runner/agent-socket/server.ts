/**
 * The socket by which hooks and MCP servers of attempts reach their runner: one for all attempts,
 * for this user alone. An attempt is named by its marker.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';
import { type Answer, type Ask, requestSchema } from './messages';

export type AnswerAgent = (ask: Ask) => Promise<Answer>;

export interface AgentSocket {
  readonly path: string;
  /** Answers for the attempt with this marker, until the returned function is called. */
  serve(marker: string, answer: AnswerAgent): () => void;
  close(): void;
}

const MAX_REQUEST_BYTES = 200_000;
const MAX_CONNECTIONS = 200;
const IDLE_MS = 30_000;
const END_MS = 1_000;

/**
 * @param runnerDir the runner's own folder, which no other runner uses
 * @throws the system's error where no socket can be made
 */
export async function openAgentSocket(runnerDir: string): Promise<AgentSocket> {
  const place = placeFor(runnerDir);
  const attempts = new Map<string, AnswerAgent>();
  const server = createServer((socket) => listen(socket, attempts));
  server.maxConnections = MAX_CONNECTIONS;
  server.on('error', (error) => logger.warn({ error: String(error) }, 'agent socket failed'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.file, resolve);
  });
  chmodSync(place.file, 0o600);
  server.unref();
  return {
    path: place.file,
    serve(marker, answer) {
      attempts.set(marker, answer);
      return () => attempts.delete(marker);
    },
    close() {
      server.close();
      rmSync(place.remove, { recursive: true, force: true });
    },
  };
}

/** Maximum length of a socket path; a runner's own folder may be longer. */
const MAX_PATH_BYTES = 100;

function placeFor(runnerDir: string): { file: string; remove: string } {
  const file = path.join(runnerDir, 'agents.sock');
  if (Buffer.byteLength(file) <= MAX_PATH_BYTES) {
    // Of a runner that was killed.
    rmSync(file, { force: true });
    return { file, remove: file };
  }
  const dir = mkdtempSync(path.join(tmpdir(), 'tierwatch-'));
  return { file: path.join(dir, 'agents.sock'), remove: dir };
}

function listen(socket: Socket, attempts: ReadonlyMap<string, AnswerAgent>): void {
  let received = '';
  socket.setEncoding('utf8').setTimeout(IDLE_MS, () => socket.destroy());
  // The client has disconnected, so there is nobody to reply to.
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (received.length > MAX_REQUEST_BYTES) socket.destroy();
    const end = received.indexOf('\n');
    if (end === -1 || socket.destroyed) return;
    const line = received.slice(0, end);
    received = '';
    // The answer may take longer than a client may take to ask: a check waits for its service.
    socket.setTimeout(0);
    void answerLine(line, attempts).then((answer) => {
      socket.end(`${JSON.stringify(answer)}\n`);
      // The other side may never close its end.
      setTimeout(() => socket.destroy(), END_MS).unref();
    });
  });
}

async function answerLine(
  line: string,
  attempts: ReadonlyMap<string, AnswerAgent>,
): Promise<Answer> {
  try {
    const { token, ask } = requestSchema.parse(JSON.parse(line));
    const answer = attempts.get(token);
    if (!answer) return { ok: false, error: 'This attempt has ended.' };
    return await answer(ask);
  } catch (error) {
    logger.warn({ error: String(error) }, 'agent request failed');
    return { ok: false, error: 'The runner could not do this.' };
  }
}
