/**
 * The image is built from what the Dockerfile copies, with the packages that it installs. The tests of
 * the containers take over the pages that the checkout has built.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import postcss from '@/postcss.config.mjs';
import { BUILD_SOURCES } from '@/scripts/bootstrap/build.mjs';
import { PROGRAM_SOURCES } from '@/scripts/bootstrap/programs.mjs';
import { productSources, sourceFiles } from './source-files';

const root = path.resolve(import.meta.dirname, '../..');

/** The sources of every `COPY` from the build context, by stage, with those of its base stages. */
function copiedInto(dockerfile: string): Map<string, string[]> {
  const stages = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of dockerfile.replaceAll('\\\n', ' ').split('\n')) {
    const from = /^FROM (\S+) AS (\S+)$/.exec(line.trim());
    if (from) {
      current = [...(stages.get(from[1] ?? '') ?? [])];
      stages.set(from[2] ?? '', current);
    }
    const copy = /^COPY (?!--from)(.+) \S+$/.exec(line.trim());
    if (copy) current.push(...(copy[1] ?? '').split(' '));
  }
  return stages;
}

function missing(files: readonly string[], copied: readonly string[]): string[] {
  const isCopied = (file: string) =>
    copied.some((source) => source === file || file.startsWith(`${source}/`));
  return files.filter((file) => existsSync(path.join(root, file)) && !isCopied(file));
}

function missingFrom(dockerfile: string): string[] {
  const copied = copiedInto(dockerfile).get('build') ?? [];
  return missing([...BUILD_SOURCES, ...PROGRAM_SOURCES], copied);
}

const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean }>;
};

/** As `npm ci --omit=dev` does it. */
function isInstalled(name: string): boolean {
  const found = packages[`node_modules/${name}`];
  return found !== undefined && !found.dev;
}

/** Packages that the pages and programs load, and those that Next and PostCSS load to build them. */
function packagesOfBuild(): Set<string> {
  const sources = [...productSources(), ...sourceFiles('next.config.ts', 'prisma/seed.ts')];
  const imported = sources
    .flatMap(({ imports }) => imports)
    .filter(({ target, isType, specifier }) => {
      return target === null && !isType && !specifier.startsWith('node:');
    })
    .map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
  const styles = readFileSync(path.join(root, 'app/globals.css'), 'utf8');
  const ofStyles = [...styles.matchAll(/^@import ["']([^./"'][^"'/]*)/gm)].map(([, name]) => name);
  const { plugins } = postcss;
  // Next doesn't build TypeScript without these, and would install them itself.
  const ofNext = ['typescript', '@types/node', '@types/react'];
  return new Set([...imported, ...ofStyles.map(String), ...Object.keys(plugins), ...ofNext]);
}

describe('the image', () => {
  const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

  it('is built from every file that the build on a host reads', () => {
    expect(missingFrom(dockerfile)).toEqual([]);
  });

  it.each(['control-plane', 'runner'])('holds the sources of its bundles: %s', (stage) => {
    // With another hash over them, a start would bundle again, where it may not write.
    expect(missing(PROGRAM_SOURCES, copiedInto(dockerfile).get(stage) ?? [])).toEqual([]);
  });

  it('installs every package that its build loads, although it installs none for development', () => {
    const needed = [...packagesOfBuild()];
    expect(needed.length).toBeGreaterThan(50);
    expect(needed.filter((name) => !isInstalled(name))).toEqual([]);
    expect(isInstalled('vitest')).toBe(false);
  });

  it('would be noticed without one of them', () => {
    const without = dockerfile.replace('proxy.ts ', '');
    expect(missingFrom(without)).toEqual(['proxy.ts']);
  });
});
