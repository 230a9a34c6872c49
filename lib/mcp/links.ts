/** Addresses of pages, for people who continue in the browser. */
export interface Links {
  home: string;
  project(slug: string): string;
  chain(project: string, number: number): string;
  session(project: string, number: number): string;
  incident(project: string, number: number): string;
  conversation(project: string, id: string): string;
  approval(id: string): string;
  runner(id: string): string;
}

/** Returns the addresses of an organization's pages. */
export function linksOf(publicUrl: string, organizationSlug: string): Links {
  const home = `${publicUrl.replace(/\/$/, '')}/${organizationSlug}`;
  const project = (slug: string) => `${home}/projects/${slug}`;
  return {
    home,
    project,
    chain: (slug, number) => `${project(slug)}/chains/${number}`,
    session: (slug, number) => `${project(slug)}/sessions/${number}`,
    incident: (slug, number) => `${project(slug)}/incidents/${number}`,
    conversation: (slug, id) => `${project(slug)}/ask/${id}`,
    approval: (id) => `${home}/approvals/${id}`,
    runner: (id) => `${home}/runners/${id}`,
  };
}
