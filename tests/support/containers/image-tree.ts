/**
 * Builds, without a container engine, the tree that each stage of the Dockerfile gets. COPY takes from
 * the checkout what .dockerignore leaves and from earlier stages; RUN is executed, except what
 * installs packages, and a build of the pages that the checkout has already made from the same sources.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isBuiltFrom } from '@/scripts/bootstrap/build.mjs';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { type Copy, ignoreRules, parseDockerfile, type Stage } from './dockerfile';

export interface Image {
  /** What the image has as /app. */
  app: string;
  /** From ENV. */
  env: Record<string, string>;
  /** Folders that `install -d -o` gave to the image's user, as the Dockerfile names them. */
  ownedByUser: string[];
  user: string | null;
}

const run = promisify(execFile);

/**
 * Builds every stage below a folder.
 *
 * @param dockerfile by default the checkout's
 * @returns the images by stage
 */
export async function buildImages(
  folder: string,
  dockerfile = readFileSync(path.join(checkout, 'Dockerfile'), 'utf8'),
): Promise<Map<string, Image>> {
  const images = new Map<string, Image>();
  for (const stage of parseDockerfile(dockerfile)) {
    images.set(stage.name, await buildStage(stage, path.join(folder, stage.name), images));
  }
  return images;
}

async function buildStage(
  stage: Stage,
  app: string,
  images: ReadonlyMap<string, Image>,
): Promise<Image> {
  const base = images.get(stage.base);
  mkdirSync(app, { recursive: true });
  if (base) await link(base.app, app);
  const image: Image = {
    app,
    env: { ...base?.env },
    ownedByUser: [...(base?.ownedByUser ?? [])],
    user: base?.user ?? null,
  };
  for (const instruction of stage.instructions) {
    switch (instruction.kind) {
      case 'COPY':
        await copyInto(app, instruction, images);
        break;
      case 'RUN':
        await runIn(image, instruction.command);
        break;
      case 'ENV':
        Object.assign(image.env, instruction.variables);
        break;
      case 'USER':
        image.user = instruction.name;
        break;
    }
  }
  return image;
}

/** Hard links, since a stage's files aren't changed once it is built. */
async function link(from: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  await run('cp', ['-al', `${from}/.`, to]).catch(() => run('cp', ['-a', `${from}/.`, to]));
}

async function copyInto(
  app: string,
  { from, sources, target }: Copy,
  images: ReadonlyMap<string, Image>,
): Promise<void> {
  const to = path.resolve(app, target);
  const isFolder = target.endsWith('/') || sources.length > 1;
  for (const source of sources) {
    if (from === null) {
      copyFromContext(source, isFolder ? path.join(to, path.basename(source)) : to);
      continue;
    }
    const stage = images.get(from);
    if (!stage) throw new Error(`COPY --from=${from} names no earlier stage.`);
    await link(path.join(stage.app, source.replace(/^\/app\//, '')), to);
  }
}

const isIgnored = ignoreRules(readFileSync(path.join(checkout, '.dockerignore'), 'utf8'));

function copyFromContext(source: string, to: string): void {
  const file = path.join(checkout, source);
  if (!existsSync(file) || isIgnored(source)) {
    throw new Error(`COPY ${source}: the build context doesn't contain it.`);
  }
  cpSync(file, to, {
    recursive: true,
    filter: (each) => !isIgnored(path.relative(checkout, each)),
  });
}

async function runIn(image: Image, command: string): Promise<void> {
  // What a package manager installs is on this machine already, or not what these tests are about.
  if (/\bnpm ci --omit=dev\b/.test(command)) return await installPackages(image.app);
  for (const part of command.split(' && ')) {
    if (/^(apt-get|npm install|ln -s|rm -rf \/var)/.test(part.trim())) continue;
    const folders = /^install -d -o node -g node (?:-m \d+ )?(.+)$/.exec(part.trim())?.[1];
    if (folders !== undefined) image.ownedByUser.push(...folders.split(' '));
    else if (part === BUILD_OF_PAGES && isBuiltFrom(image.app)) await takeBuild(image.app);
    else await runCommand(image, part);
  }
}

const BUILD_OF_PAGES = 'node node_modules/next/dist/bin/next build';

/** A build takes minutes, and `next start` reads no name of a folder outside of it. */
const takeBuild = (app: string) => link(path.join(checkout, '.next'), path.join(app, '.next'));

/** Without this machine's own variables: an image is built without secrets. */
async function runCommand({ app, env }: Image, command: string): Promise<void> {
  const home = path.join(path.dirname(app), 'home');
  mkdirSync(home, { recursive: true });
  await run('sh', ['-euc', command], {
    cwd: app,
    env: { PATH: process.env.PATH, HOME: home, NODE_ENV: 'production', ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** What `npm ci --omit=dev` installs of the lock that the stage has. */
async function installPackages(app: string): Promise<void> {
  const lock = JSON.parse(readFileSync(path.join(app, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const target = path.join(app, 'node_modules');
  await link(path.join(checkout, 'node_modules'), target);
  for (const [place, { dev }] of Object.entries(lock.packages)) {
    if (dev) rmSync(path.join(app, place), { recursive: true, force: true });
  }
  rmSync(path.join(target, '.bin'), { recursive: true, force: true });
}
