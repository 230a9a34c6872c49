/** Whether this host reaches the network: without it, no service can be blamed. */
import { connect } from 'node:net';
import { CHECK_KINDS } from '@/lib/protocol/checks/kinds';
import type { CheckSpec } from '@/lib/protocol/spec';

export interface NetworkReference {
  /**
   * Whether the control plane’s host answers, if only with a refusal: that comes over the network as well.
   * An answer is good for some seconds.
   */
  isReachable(): Promise<boolean>;
}

const VALID_MS = 3_000;
const TIMEOUT_MS = 3_000;

/** @param url of the control plane */
export function networkReference(url: string): NetworkReference {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(port) || (protocol === 'http:' ? 80 : 443) };
  let last: { answer: Promise<boolean>; at: number } | null = null;
  return {
    isReachable() {
      const now = performance.now();
      if (last === null || now - last.at > VALID_MS) last = { answer: answers(address), at: now };
      return last.answer;
    },
  };
}

function answers(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', (error) => end('code' in error && error.code === 'ECONNREFUSED'));
  });
}

const LOOPBACK =
  /^(?:[a-z]+:\/\/(?:[^@/]*@)?)?(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(?:[:/?#]|$)/i;

/** Returns whether the check needs a network beyond its host: what is on the host itself doesn’t. */
export function needsNetwork({ type, target }: Pick<CheckSpec, 'type' | 'target'>): boolean {
  return !CHECK_KINDS[type].isLocal && !LOOPBACK.test(target.trim());
}
