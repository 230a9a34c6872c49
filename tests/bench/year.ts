/**
 * Gives a running system a past to look at: `TIERWATCH_DATA_DIR=.data npx tsx tests/bench/year.ts <project>`.
 * For screenshots and for trying the pages out; nothing of the product reads this.
 */
import path from 'node:path';
import pg from 'pg';
import {
  ownerUrl,
  readOrMakeSettings,
  superuserUrl,
} from '@/scripts/bootstrap/postgres/settings.mjs';
import { writeYear } from './support/year';

const [, , project = 'demo'] = process.argv;
const settings = readOrMakeSettings(
  path.resolve(process.env.TIERWATCH_DATA_DIR ?? '.data', 'postgres'),
);
const url = new URL(superuserUrl(settings));
url.pathname = new URL(ownerUrl(settings)).pathname;
const superuser = new pg.Client({ connectionString: url.toString() });
await superuser.connect();
try {
  await writeYear(superuser, project);
  process.stdout.write(`A year of ${project} is written.\n`);
} finally {
  await superuser.end();
}
