/**
 * `node scripts/take-pictures.mjs`: takes the pictures of the manual from the running product. It
 * starts the product with its demo on a temporary data folder, breaks the demo, runs chains, and
 * writes docs/images. Needs a Chromium.
 */
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { openCamera, savePicture } from './pictures/camera.mjs';
import { startProduct } from './pictures/product.mjs';
import { ask, prepare, runChain } from './pictures/story.mjs';

async function takePictures(product, camera) {
  await prepare(product);
  await runChain(product);
  await product.breakDemo('crash');
  await runChain(product);
  await runChain(product);
  await product.breakDemo('config');
  const repaired = await runChain(product);
  await runChain(product);
  const conversation = await ask(product, repaired, 'Why did you restart web?');

  const organization = `/${product.account.organization}`;
  const project = `${organization}/projects/checkout`;
  const last = repaired.sessions.at(-1);
  const pages = {
    home: organization,
    project,
    chain: `${project}/chains/${repaired.number}`,
    session: `${project}/sessions/${last.number}`,
    tiers: `${project}/settings/tiers`,
    spend: `${organization}/spend`,
    ask: `${project}/ask/${conversation.id}`,
  };
  for (const [name, address] of Object.entries(pages)) {
    await camera.open(address);
    savePicture(name, await camera.take());
  }
}

await runMain(async () => {
  requireNode();
  const product = await startProduct();
  try {
    const camera = await openCamera(product);
    try {
      await takePictures(product, camera);
    } finally {
      await camera.close();
    }
  } finally {
    await product.stop();
  }
});
