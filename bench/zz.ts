import path from 'node:path';
import pg from 'pg';
import { ownerUrl, readOrMakeSettings, superuserUrl } from '@/scripts/bootstrap/postgres/settings.mjs';
const settings = readOrMakeSettings(path.resolve('.data/own/postgres'));
const url = new URL(superuserUrl(settings)); url.pathname = new URL(ownerUrl(settings)).pathname;
const c = new pg.Client({ connectionString: url.toString() }); await c.connect();
console.log((await c.query(process.argv[2] ?? 'select 1')).rows); await c.end();
