import { StartProblem } from './problem.mjs';

/** Where the web process listens, and how it is reached. @param {Record<string, string | undefined>} env */
export function readAddress(env) {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartProblem(`PORT=${env.PORT} is not a port. Use a whole number from 1 to 65535.`);
  }
  const host = env.HOST || '127.0.0.1';
  const isEveryNetwork = host === '0.0.0.0' || host === '::';
  const localHost = isEveryNetwork ? '127.0.0.1' : host;
  const localUrl = `http://${localHost.includes(':') ? `[${localHost}]` : localHost}:${port}`;
  return { host, port, localUrl, publicUrl: env.TIERWATCH_PUBLIC_URL || localUrl };
}
