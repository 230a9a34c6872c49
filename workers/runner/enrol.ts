import { hostname } from 'node:os';
import { enrolRequestSchema, PROTOCOL_VERSION } from '@/lib/runner-protocol/schema';
import { createControlPlane } from './control-plane/client';
import { writeRunnerKey } from './runner-key';

/**
 * Trades a one-time token for the runner's own key and stores it in the runner's folder.
 * @throws ControlPlaneError when the token is not taken.
 */
export async function enrolRunner(options: {
  url: string;
  token: string;
  dir: string;
  /** Shown on the runner page; the host's name where absent. */
  name?: string;
}): Promise<{ runnerId: string; pool: string; keyFile: string }> {
  const controlPlane = createControlPlane({ url: options.url.replace(/\/+$/, ''), key: null });
  try {
    const body = enrolRequestSchema.parse({
      protocol: PROTOCOL_VERSION,
      token: options.token,
      name: options.name ?? hostName(),
    });
    const { runnerId, key, pool } = await controlPlane.enrol(body);
    return { runnerId, pool, keyFile: await writeRunnerKey(options.dir, key) };
  } finally {
    await controlPlane.close();
  }
}

function hostName(): string {
  const name = hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(0, 60) || 'runner';
}
