/** What an installation is made of can be checked, and listed. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutIntegrity } from '@/scripts/complete-lock.mjs';

const root = path.resolve(import.meta.dirname, '../..');

const MAX_BYTES = 64 * 1024 * 1024;

interface Entry {
  version?: string;
  name?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

describe('[SEC-4.1] package-lock.json', () => {
  it('has a hash for every package', () => {
    expect(withoutIntegrity(packages).map(([place]) => place)).toEqual([]);
  });

  it('would be noticed without one', () => {
    const [place = '', entry] = Object.entries(packages)[5] ?? [];
    const changed = { ...packages, [place]: { ...entry, integrity: undefined } };
    expect(withoutIntegrity(changed).map(([found]) => found)).toEqual([place]);
  });
});

describe('[SEC-4.1] npm run sbom', () => {
  it('lists every package of the lock with its hash', () => {
    const printed = execFileSync(process.execPath, ['scripts/sbom.mjs'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: MAX_BYTES,
    });
    const sbom = JSON.parse(printed);
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'tierwatch', type: 'application' } },
    });
    const listed = new Map<string, { hashes?: { alg: string; content: string }[] }>(
      sbom.components.map((component: { name: string; version: string }) => [
        `${component.name}@${component.version}`,
        component,
      ]),
    );
    const locked = Object.entries(packages).filter(
      ([place, { link, inBundle }]) => place !== '' && !link && !inBundle,
    );
    const missing = locked.filter(([place, { name, version, integrity = '' }]) => {
      const component = listed.get(`${name ?? place.split('node_modules/').at(-1)}@${version}`);
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return !component?.hashes?.some(({ content }) => content === hash);
    });
    expect(missing.map(([place]) => place)).toEqual([]);
    expect(locked.length).toBeGreaterThan(500);
  });
});
