import { runnerDtoSchema } from '@/lib/fleet/schema';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { endedChain, startChain } from '../../support/system/chain-run';
import type { ClaudeHost } from '../../support/system/claude-host';
import type { System } from '../../support/system/system';
import { byTier, type TierScript } from '../../support/system/tier-script';
import { delivered } from './spool';

/**
 * Runs a chain whose host is changed after tier 1 and before tier 2. The host takes nothing new
 * meanwhile: it is drained while tier 1 waits for the model, and let go on after the change.
 */
export async function changeBetweenTiers(
  system: System,
  host: ClaudeHost,
  options: { projectId: string; script: TierScript; change(): void },
): Promise<ChainDetail> {
  let answer = () => {};
  const isDrained = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const script = byTier(options.script);
  host.model.setScript(async (request) => {
    await isDrained;
    return script(request);
  });
  const requestsBefore = host.model.requests.length;
  const { id } = await startChain(system.api, options.projectId);
  await host.model.waitForRequests(requestsBefore + 1);
  const { data } = await system.api.get('runners', pageSchema(runnerDtoSchema));
  const drain = `runners/${data.find(({ pool }) => pool === host.pool)?.id}/drain`;
  await system.api.post(drain, {}, runnerDtoSchema);
  answer();
  await delivered(host.runner);
  options.change();
  await system.api.send('DELETE', drain);
  return endedChain(system.api, id);
}
