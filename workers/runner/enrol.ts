import { hostname } from 'node:os';
import { enrolRequestSchema, PROTOCOL_VERSION } from '@/lib/protocol/schema';
import { createControlPlane } from './control-plane/client';
import { writeHome, writeRunnerKey } from './runner-key';

/**
 * Trades a one-time token for the runner's own key and stores it in the runner's folder.
 * @throws ControlPlaneError when the token is not taken.
 */
export async function enrolRunner(options: {
  url: string;
  token: string;
  dir: string;
  /** Shown on the runner page; the host's name, with a number if it is taken, where absent. */
  name?: string | undefined;
}): Promise<{ runnerId: string; name: string; pool: string; keyFile: string }> {
  const url = options.url.replace(/\/+$/, '');
  const controlPlane = createControlPlane({ url, key: null });
  try {
    const body = enrolRequestSchema.parse({
      protocol: PROTOCOL_VERSION,
      token: options.token,
      name: options.name ?? hostName(),
      isNameSuggested: options.name === undefined,
    });
    const { runnerId, key, pool, name = body.name } = await controlPlane.enrol(body);
    const keyFile = await writeRunnerKey(options.dir, key);
    await writeHome(options.dir, url);
    return { runnerId, name, pool, keyFile };
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
