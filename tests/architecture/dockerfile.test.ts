/** The image is built from what the Dockerfile copies, which nothing else in the suite builds. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILD_SOURCES } from '@/scripts/bootstrap/build.mjs';
import { PROGRAM_SOURCES } from '@/scripts/bootstrap/programs.mjs';

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

describe('the image', () => {
  const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

  it('is built from every file that the build on a host reads', () => {
    expect(missingFrom(dockerfile)).toEqual([]);
  });

  it.each(['control-plane', 'runner'])('holds the sources of its bundles: %s', (stage) => {
    // With another hash over them, a start would bundle again, where it may not write.
    expect(missing(PROGRAM_SOURCES, copiedInto(dockerfile).get(stage) ?? [])).toEqual([]);
  });

  it('would be noticed without one of them', () => {
    const without = dockerfile.replace('proxy.ts ', '');
    expect(missingFrom(without)).toEqual(['proxy.ts']);
  });
});
