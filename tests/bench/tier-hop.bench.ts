/**
 * From the end of a tier's process to the start of the next one's, over chains of the demo that
 * need all three tiers, by the clock of the runner that saw both.
 */

import type { SessionEventDto } from '@/lib/insight/sessions/schema';
import { breakDemo } from '@/lib/projects/demo-service/client';
import { endedChain, eventsOf, startChain } from '@/tests/support/system/chain-run';
import { isFull, printResult, quantile, spread } from './support/figures';
import { type Product, startProduct } from './support/product';
import { addProject } from './support/projects';
import { withScratchFolder } from './support/scratch-folder';

const CHAINS = isFull ? 50 : 10;
const SLUG = 'bench';
/**
 * A page is notified when a chain ends; this polls. A poll keeps the web process busy for half as long
 * as a hop takes, so frequent polls would distort what is measured.
 */
const LOOK_EVERY_MS = 2_500;

interface Hop {
  /** From the process's end, when nothing it started is alive anymore. */
  exitToStartMs: number;
  /** From the last line that the process printed. */
  lastLineToStartMs: number;
}

function hopBetween(parent: SessionEventDto[], child: SessionEventDto[]): Hop {
  const at = (event: SessionEventDto | undefined) => Date.parse(event?.at ?? '');
  const phase = (name: string) => (event: SessionEventDto) =>
    event.kind === 'process' && event.payload.phase === name;
  const started = at(child.find(phase('started')));
  return {
    exitToStartMs: started - at(parent.findLast(phase('exited'))),
    lastLineToStartMs: started - at(parent.findLast((event) => event.kind === 'result')),
  };
}

async function hopsOfChain(product: Product): Promise<Hop[]> {
  const broken = await breakDemo(product.dataDir, 'config');
  if (!broken.ok) throw new Error(broken.message);
  const { id } = await startChain(product.api, SLUG);
  const chain = await endedChain(product.api, id, LOOK_EVERY_MS);
  if (chain.sessions.length !== 3) {
    throw new Error(`Chain #${chain.number} ended early: ${chain.statusText}`);
  }
  const events = await Promise.all(chain.sessions.map(({ id }) => eventsOf(product.api, id)));
  return events.slice(1).map((child, index) => hopBetween(events[index] ?? [], child));
}

await withScratchFolder(async (dir) => {
  const product = await startProduct(dir, {
    TIERWATCH_RUNNER_PASS_ENV: 'TIERWATCH_DEMO_PACE_MS',
    TIERWATCH_DEMO_PACE_MS: '0',
  });
  try {
    await addProject(product, { name: 'Bench', slug: SLUG });
    // What is loaded and prepared only once belongs to the start, not to a hop.
    await hopsOfChain(product);
    const hops: Hop[] = [];
    for (let count = 0; count < CHAINS; count += 1) hops.push(...(await hopsOfChain(product)));
    const exits = hops.map((hop) => hop.exitToStartMs);
    printResult({
      title: "A tier's process ends → the next tier's process starts",
      target: 'p95 under 50 ms',
      figures: {
        [`exit to start, ${hops.length} hops`]: `${spread(exits)} (${quantile(exits, 0.95) < 50 ? 'met' : 'not met'})`,
        'last line to start': spread(hops.map((hop) => hop.lastLineToStartMs)),
      },
    });
  } finally {
    await product.stop();
  }
});
