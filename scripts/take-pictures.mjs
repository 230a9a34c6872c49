/**
 * `node scripts/take-pictures.mjs`: takes the pictures of the manual from the running product. It
 * starts the product with its demo on a temporary data folder, breaks the demo, runs chains, and
 * writes docs/images. Needs a Chromium.
 */
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { openCamera, savePicture } from './pictures/camera.mjs';
import { startProduct } from './pictures/product.mjs';
import { allowTiers, ask, prepare, runChain } from './pictures/story.mjs';

async function takePictures(product, camera) {
  const organization = `/${product.account.organization}`;
  const project = `${organization}/projects/checkout`;
  async function picture(name, address) {
    await camera.open(address);
    savePicture(name, await camera.take());
  }

  await prepare(product);
  await runChain(product);
  await allowTiers(product, 1);
  await product.breakDemo('crash');
  await runChain(product);
  await picture('home', organization);

  await allowTiers(product, 3);
  await runChain(product);
  await runChain(product);
  await product.breakDemo('config');
  const repaired = await runChain(product);
  await picture('project', project);
  await picture('chain', `${project}/chains/${repaired.number}`);
  await picture('session', `${project}/sessions/${repaired.sessions.at(-1).number}`);
  await picture('tiers', `${project}/settings/tiers`);
  await picture('spend', `${organization}/spend`);

  const conversation = await ask(product, repaired, 'Why did you restart web?');
  await picture('ask', `${project}/ask/${conversation.id}`);
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
