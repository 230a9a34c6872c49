/** From the moment in which the CLI prints an event to its sight in the browser's page. */
import { chainWhere, startChain } from '@/tests/support/system/chain-run';
import { isFull, printResult, quantile, spread } from './support/figures';
import { startProduct } from './support/product';
import { addProject } from './support/projects';
import { withScratchFolder } from './support/scratch-folder';
import { makeStandIn } from './support/stand-in';
import { watchSession } from './support/watch-session';

const EVENTS = isFull ? 600 : 120;
const SLUG = 'bench';

await withScratchFolder(async (dir) => {
  // At irregular times, or they would keep step with the collecting of the parts in between.
  const standIn = await makeStandIn(dir, { count: EVENTS, everyMs: 200, jitter: 0.8 });
  const product = await startProduct(dir, { CLAUDE_BIN: standIn.program });
  try {
    await addProject(product, { name: 'Bench', slug: SLUG, harness: 'claude' });
    const { id } = await startChain(product.api, SLUG);
    const chain = await chainWhere(product.api, id, 'ran', ({ status }) => status === 'running');
    const [session] = chain.sessions;
    if (!session) throw new Error('The chain has no session.');
    const watcher = await watchSession(product, { ...session, projectSlug: SLUG });
    try {
      const seen = watcher.delaysMs(EVENTS);
      standIn.go();
      const delaysMs = await seen;
      printResult({
        title: "The CLI prints an event → it is in the browser's page",
        target: 'p95 under 50 ms',
        figures: {
          [`${watcher.name}, ${delaysMs.length} events`]: `${spread(delaysMs)} (${quantile(delaysMs, 0.95) < 50 ? 'met' : 'not met'})`,
        },
      });
    } finally {
      await watcher.close();
    }
  } finally {
    await product.stop();
  }
});
