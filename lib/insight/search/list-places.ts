import { channelKindWords } from '@/lib/deliveries/channels/registry';
import { listMembers, listNamesWithRole } from '@/lib/identity/members/list-members';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { settingWords } from '@/lib/projects/settings';
import { listRunnerPlaces, listServicePlaces } from './data';
import type { Places } from './schema';

const MOST_SERVICES = 1_000;
const MOST_RUNNERS = 200;
const MOST_PEOPLE = 200;

/** Returns what the palette finds by name: services, runners and people of the organization. */
export async function listPlaces(scope: TenantScope): Promise<Places> {
  const places = await inTransaction(scope, async (db) => ({
    services: await listServicePlaces(db, MOST_SERVICES),
    runners: await listRunnerPlaces(db, MOST_RUNNERS),
  }));
  const { data: members } = await listMembers(scope, { limit: MOST_PEOPLE });
  return {
    services: places.services,
    runners: places.runners.map(({ id, name, pool }) => ({
      id: encodeId('rnr', id),
      name,
      pool: pool.name,
    })),
    people: members.map(({ id, name, role }) => ({ id, name, role })),
    whoCan: {
      operator: await listNamesWithRole(scope, 'operator'),
      admin: await listNamesWithRole(scope, 'admin'),
    },
    channelWords: channelKindWords(),
    settingWords: settingWords(),
  };
}
