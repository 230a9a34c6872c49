import { describe, expect, it } from 'vitest';
import { routeTemplates } from '@/lib/platform/http/route-templates';
import { dispatch } from './dispatch';

const ask = (method: string, path: string) =>
  dispatch(new Request(`http://tierwatch.test/api/v1/${path}`, { method }), path.split('/'));

describe('[SAS-6.2] a request to the REST API', () => {
  it.each([
    ['POST', 'runners/updates', 401],
    ['DELETE', 'runners/rnr_1/drain', 401],
    ['GET', 'nothing', 404],
    ['HEAD', 'nothing', 404],
    ['GET', 'constructor', 404],
    ['GET', 'incidents/inc_1/nothing', 404],
    ['PUT', 'incidents', 405],
    ['GET', 'oncall-schedules', 410],
    ['PUT', 'oncall-schedules/ocs_1', 410],
    ['DELETE', 'incidents/inc_1', 405],
  ])('%s %s answers %i, as a problem', async (method, path, status) => {
    const response = await ask(method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it.each([
    ['PUT', 'incidents/inc_1/silence', 405],
    ['OPTIONS', 'incidents/inc_1/silence', 204],
  ])('%s %s says which methods there are', async (method, path, status) => {
    const response = await ask(method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe('POST, DELETE, OPTIONS');
  });

  it('is counted by its operation, not by its address', () => {
    const page = '/api/v1/[...path]';
    const dynamicRoutes = [{ page, regex: '^/api/v1/(.+?)(?:/)?$' }];
    const templateOf = routeTemplates({ staticRoutes: [], dynamicRoutes });
    expect(
      ['/api/v1/incidents/inc_1/silence?x=1', '/api/v1/runners/updates', '/api/v1/none'].map(
        templateOf,
      ),
    ).toEqual(['/api/v1/incidents/[incidentId]/silence', '/api/v1/runners/updates', page]);
  });
});
