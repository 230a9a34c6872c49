/** One runner with 50 attempts at once whose programs print 50 events a second each. */
import { chainWhere, endedChain, eventsOf, startChain } from '@/tests/support/system/chain-run';
import { inSeconds, printResult } from './support/figures';
import { watchProcess } from './support/process-use';
import { type Product, startProduct } from './support/product';
import { addProject } from './support/projects';
import { withScratchFolder } from './support/scratch-folder';
import { makeStandIn } from './support/stand-in';

const ATTEMPTS = 50;
const EVENTS_A_SECOND = 50;
const SECONDS = 20;
const EVENTS = EVENTS_A_SECOND * SECONDS;

/** One chain each in projects of their own, since a project runs one at a time. */
async function startChains(product: Product): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    const slug = `bench-${count}`;
    await addProject(product, { name: `Bench ${count}`, slug, harness: 'claude' });
    ids.push((await startChain(product.api, slug)).id);
  }
  for (const id of ids) {
    await chainWhere(product.api, id, 'ran', ({ status }) => status === 'running');
  }
  return ids;
}

interface Stored {
  /** Numbers that are missing, are there twice or stand in another place. */
  wrong: number;
  events: number;
  /** Last line printed to the chain's end. */
  tailMs: number;
}

async function storedOf({ api }: Product, chainId: string): Promise<Stored> {
  const chain = await endedChain(api, chainId);
  const [session, ...others] = chain.sessions;
  if (!session || others.length > 0) throw new Error(`Chain ${chainId} continued in another tier.`);
  const ticks = (await eventsOf(api, session.id)).flatMap(({ payload }) => {
    const tick = /^tick (\d+) (\d+)$/.exec(String(payload.text ?? ''));
    return tick ? [{ number: Number(tick[1]), printedAt: Number(tick[2]) }] : [];
  });
  const inPlace = ticks.filter(({ number }, index) => number === index).length;
  return {
    events: ticks.length,
    wrong: Math.max(EVENTS, ticks.length) - inPlace,
    tailMs: Date.parse(chain.endedAt ?? '') - (ticks.at(-1)?.printedAt ?? 0),
  };
}

await withScratchFolder(async (dir) => {
  const everyMs = 1_000 / EVENTS_A_SECOND;
  const standIn = await makeStandIn(dir, { count: EVENTS, everyMs, jitter: 0.2 });
  const product = await startProduct(dir, {
    CLAUDE_BIN: standIn.program,
    TIERWATCH_RUNNER_CONCURRENCY: String(ATTEMPTS),
  });
  try {
    const chainIds = await startChains(product);
    const watch = watchProcess(product.pidOf('runner'));
    standIn.go();
    for (const id of chainIds) await endedChain(product.api, id);
    // Until everything is delivered: what a busy control plane puts off is the runner's work as well.
    const use = watch.end();
    const stored: Stored[] = [];
    for (const id of chainIds) stored.push(await storedOf(product, id));
    const events = stored.reduce((sum, each) => sum + each.events, 0);
    const wrong = stored.reduce((sum, each) => sum + each.wrong, 0);
    printResult({
      title: `One runner, ${ATTEMPTS} attempts at once, ${EVENTS_A_SECOND} events a second each`,
      target: 'nothing lost, under 250 MB and half a core',
      figures: {
        [`lost, doubled or out of order, of ${ATTEMPTS * EVENTS} events`]: `${wrong} (${events} stored)`,
        'runner’s memory, at most': use
          ? `${Math.round(use.peakBytes / 1e6)} MB`
          : 'not measured here',
        [`runner’s share of a core over ${SECONDS} s`]: use
          ? (use.processorSeconds / SECONDS).toFixed(2)
          : 'not measured here',
        'last line printed to chain ended, at most': inSeconds(
          Math.max(...stored.map((each) => each.tailMs)),
        ),
      },
    });
  } finally {
    await product.stop();
  }
});
