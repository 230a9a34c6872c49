/** The MCP server over real HTTP, with the reference client in both eras of the protocol. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/tests/support/database';
import { type ApiServer, startApiServer } from '../api/support/server';
import { makeTenant, type Tenant } from '../api/support/tenant';
import { type SeededChain, seedThreeTierChain } from '../api/support/three-tier-chain';
import { connect, ERAS } from './support/mcp-client';

useTestDatabase();

let server: ApiServer;
let tenant: Tenant;
let token: string;
let chain: SeededChain;
beforeAll(async () => {
  server = await startApiServer('mcp');
  tenant = await makeTenant('Mcp');
  chain = await seedThreeTierChain(tenant);
  token = await tenant.token('all');
});
afterAll(() => server.close());

describe.each(ERAS)('the reference client of the %s era', (era) => {
  it('[INC-4.3] lists tools and reads a chain by every form of its name', async () => {
    const session = await connect(era, { url: server.url, token });
    expect(session.client.getProtocolEra()).toBe(era);
    expect(await session.toolNames()).toContain('get_chain');
    const { projects } = await session.ok('list_projects');
    expect(projects).toMatchObject([{ slug: 'shop' }]);
    const byNumber = await session.ok('get_chain', { chain: 1, project: 'shop' });
    expect(byNumber).toMatchObject({ id: chain.chainId, project: 'shop' });
    await session.close();
  });
});
