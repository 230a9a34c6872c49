import { expect } from 'vitest';
import { type Api, type Call, openApi } from './api';
import type { Tenant } from './tenant';

export type Json = Record<string, unknown>;

export interface TenantApi {
  /** With the token of this tenant, unless the call brings another. */
  api: Api;
  /** The answer of a call that has to work. */
  ok(method: Parameters<Api>[0], path: string, call?: Call): Promise<Json & { data: Json[] }>;
}

/** The API as one tenant sees it, with a token that may do everything. */
export async function openTenantApi(tenant: Tenant): Promise<TenantApi> {
  const bare = await openApi();
  const token = await tenant.token('all');
  const api: Api = (method, path, call = {}) => bare(method, path, { token, ...call });
  return {
    api,
    async ok(method, path, call) {
      const response = await api(method, path, call);
      const body = await response.json();
      expect(response.status, JSON.stringify(body)).toBeLessThan(300);
      return body;
    },
  };
}
