/** A file for a spreadsheet. The mark at its start tells Excel that it is UTF-8. */
export function csvResponse(name: string, csv: string): Response {
  return new Response(`\uFEFF${csv}`, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"`,
      'cache-control': 'no-store',
    },
  });
}
