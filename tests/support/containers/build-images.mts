/**
 * Global setup: builds the images' trees once for the run. TIERWATCH_TEST_IMAGES names a folder to keep
 * them in and to take them from, for work on the tests themselves.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildImages, type Image } from './image-tree';

export type Images = Record<string, Image>;

declare module 'vitest' {
  export interface ProvidedContext {
    images: Images;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const kept = process.env.TIERWATCH_TEST_IMAGES;
  const folder = kept ?? mkdtempSync(path.join(os.tmpdir(), 'tierwatch-images-'));
  const list = path.join(folder, 'images.json');
  if (!existsSync(list)) {
    const images = Object.fromEntries(await buildImages(folder));
    // Other accounts run what is in it.
    chmodSync(folder, 0o755);
    writeFileSync(list, JSON.stringify(images));
  }
  project.provide('images', JSON.parse(readFileSync(list, 'utf8')) as Images);
  return () => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
