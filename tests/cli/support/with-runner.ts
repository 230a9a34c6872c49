/** The runner with the real CLI against a scripted API, for one test. */
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';
import {
  type MessagesApi,
  type Script,
  startMessagesApi,
} from '../../support/messages-api/messages-api';

export async function withRunner(
  binary: string,
  script: Script,
  use: (host: RunnerHost, api: MessagesApi) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const api = await startMessagesApi({ script });
  const host = await startRunnerHost({
    claudeBin: binary,
    env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'key-of-the-runner', ...env },
  });
  try {
    await use(host, api);
  } finally {
    await host.close();
    await api.close();
  }
}
