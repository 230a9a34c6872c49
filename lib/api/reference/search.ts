import type { Resource } from './operations';

/** An operation as the search knows it: small enough to be sent along with the page. */
interface Listed {
  href: string;
  method: string;
  path: string;
  summary: string;
  scope: string;
  /** Names of its parameters and of the fields of its body. */
  fields: string;
}

export interface ListedResource {
  name: string;
  title: string;
  operations: Listed[];
}

export function listedOf(resources: readonly Resource[]): ListedResource[] {
  return resources.map(({ name, title, operations }) => ({
    name,
    title,
    operations: operations.map((operation) => ({
      href: `/docs/reference/${name}#${operation.id}`,
      method: operation.method,
      path: operation.path,
      summary: operation.summary,
      scope: operation.scopes.join(' or '),
      fields: [...operation.parameters, ...operation.body].map(({ path }) => path).join(' '),
    })),
  }));
}

/** Returns the operations that contain every word in path, summary, scope or a field. */
export function searchOperations(
  resources: readonly ListedResource[],
  query: string,
): ListedResource[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return resources
    .map((resource) => ({
      ...resource,
      operations: resource.operations.filter((operation) => {
        const { method, path, summary, scope, fields } = operation;
        const text = [method, path, summary, scope, fields, resource.title].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}
