/**
 * Returns docs/changelog.md for CHANGELOG.md. The kinds of changes become bold lines, because the
 * headings of a page have to differ.
 *
 * @param changelog the text of CHANGELOG.md
 */
export function changelogPage(changelog: string): string {
  return changelog.replace(/^### (.+)$/gm, '**$1**');
}
