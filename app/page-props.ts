import type { Params } from './_components/lists/list-params';

/** What a page of an organization is given; `Names` are those of its path beside `orgSlug`. */
export interface PageProps<Names extends string = never> {
  params: Promise<Record<'orgSlug' | Names, string>>;
  searchParams: Promise<Params>;
}

/** What a page of a project is given. */
export type ProjectPageProps<Names extends string = never> = PageProps<'projectSlug' | Names>;
