import { readdirSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

/** Every address of the product, as its folders name it: "/[orgSlug]/runners". */
export function appRoutes(): string[] {
  return readdirSync(path.join(checkout, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'page.tsx')
    .map((file) => {
      const folders = path.dirname(file).split(path.sep);
      return `/${folders.filter((folder) => !/^(\(.*\)|\.)$/.test(folder)).join('/')}`;
    })
    .sort();
}
