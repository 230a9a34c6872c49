/**
 * Whether an endpoint or channel is for what happens in a project. One of the whole organization is
 * for every project, and what is about the organization is for everyone.
 *
 * Both are UUIDs of projects; null: the organization.
 */
export function isFor(recipientProjectId: string | null, projectId: string | null): boolean {
  return recipientProjectId === null || projectId === null || recipientProjectId === projectId;
}
