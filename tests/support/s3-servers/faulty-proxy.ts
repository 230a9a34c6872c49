/** A TCP proxy on loopback that misbehaves on demand. Set `fault` between requests. */
import net, { type AddressInfo } from 'node:net';

export type Fault =
  | { kind: 'none' }
  /** Takes the request and never answers. */
  | { kind: 'silent' }
  /** Breaks the connection once so many bytes of the request have come. */
  | { kind: 'cut_request'; after: number }
  /** Lets the server do its work, and loses its answer. */
  | { kind: 'lose_answer' }
  /** Breaks the connection once so many bytes of the answer have gone. */
  | { kind: 'cut_answer'; after: number }
  /** Sends so many bytes of the answer, and then nothing more. */
  | { kind: 'stall_answer'; after: number }
  /** Waits before the answer. */
  | { kind: 'slow'; ms: number }
  /** Changes a bit of the byte after so many of the answer. */
  | { kind: 'damage_answer'; after: number }
  /** Answers itself, with these bytes. */
  | { kind: 'answer'; text: string };

export interface FaultyProxy {
  url: string;
  fault: Fault;
  /** How many more connections have the fault; then there is none. */
  times: number;
  close(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    sockets.add(client);
    client.once('close', () => sockets.delete(client));
    const fault = takeFault();
    const upstream = net.connect(Number(port), hostname);
    const cut = () => {
      upstream.destroy();
      client.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', cut);
    client.once('close', () => upstream.destroy());
    let sent = 0;
    client.on('data', (chunk) => {
      sent += chunk.length;
      if (fault.kind === 'silent') return;
      if (fault.kind === 'answer') return void client.end(fault.text);
      if (fault.kind === 'cut_request' && sent >= fault.after) return cut();
      upstream.write(chunk);
    });
    let answered = 0;
    upstream.on('data', (chunk) => {
      const before = answered;
      answered += chunk.length;
      if (fault.kind === 'lose_answer') return cut();
      if (fault.kind === 'cut_answer' || fault.kind === 'stall_answer') {
        const rest = fault.after - before;
        if (rest > 0) client.write(chunk.subarray(0, rest));
        if (rest <= chunk.length && fault.kind === 'cut_answer') client.end();
        return;
      }
      if (fault.kind === 'slow') return void setTimeout(() => client.write(chunk), fault.ms);
      client.write(fault.kind === 'damage_answer' ? damaged(chunk, before, fault.after) : chunk);
    });
    upstream.once('end', () => {
      if (fault.kind === 'none' || fault.kind === 'damage_answer') client.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  function takeFault(): Fault {
    if (proxy.times <= 0) return { kind: 'none' };
    proxy.times -= 1;
    return proxy.fault;
  }

  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: { kind: 'none' },
    times: 0,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return proxy;
}

/** Changes a bit of the byte at `after`, if this chunk has it; it begins at `before`. */
function damaged(chunk: Buffer, before: number, after: number): Buffer {
  const at = after - before;
  if (at < 0 || at >= chunk.length) return chunk;
  const changed = Buffer.from(chunk);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}
