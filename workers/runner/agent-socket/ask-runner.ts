import { connect } from 'node:net';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import { type Answer, type Ask, answerSchema, SOCKET_VARIABLE } from './messages';

/** Asks the runner that started this process. Never rejects: an answer that fails says why. */
export async function askRunner(ask: Ask, timeoutMs: number): Promise<Answer> {
  const { [SOCKET_VARIABLE]: file, [MARKER_VARIABLE]: token } = process.env;
  if (!file || !token) return { ok: false, error: 'No runner is configured here.' };
  try {
    const line = await exchange(file, `${JSON.stringify({ token, ask })}\n`, timeoutMs);
    return answerSchema.parse(JSON.parse(line));
  } catch (error) {
    return { ok: false, error: `The runner did not respond: ${String(error)}` };
  }
}

function exchange(file: string, request: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(file, () => socket.write(request));
    const limit = setTimeout(() => socket.destroy(new Error('no response in time')), timeoutMs);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(limit);
      resolve(received);
    });
  });
}
