import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const isTest = (file) => /\.test\.tsx?$/.test(file);

function listFiles(entry) {
  if (!existsSync(entry)) return [];
  if (!statSync(entry).isDirectory()) return [entry];
  return readdirSync(entry)
    .sort()
    .flatMap((name) => listFiles(path.join(entry, name)))
    .filter((file) => !isTest(file));
}

/**
 * One hash over the names and contents of files and whole folders, tests left out. What is missing
 * counts as absent, so creating it changes the hash.
 * @param {string} root
 * @param {string[]} entries relative to root
 */
export function hashFiles(root, entries) {
  const hash = createHash('sha256');
  for (const file of entries.flatMap((entry) => listFiles(path.join(root, entry)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** A stamp lives inside the folder it vouches for: removing the folder removes the stamp. */
export function hasStamp(file, hash) {
  return existsSync(file) && readFileSync(file, 'utf8').trim() === hash;
}

export function writeStamp(file, hash) {
  writeFileSync(file, `${hash}\n`);
}
