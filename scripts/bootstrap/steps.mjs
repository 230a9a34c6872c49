/** Tells what takes a while, and how long it took. */
export async function step(title, work) {
  process.stdout.write(`  ${title}… `);
  const beganAt = performance.now();
  try {
    const result = await work();
    process.stdout.write(`${((performance.now() - beganAt) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}
