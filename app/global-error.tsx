'use client';

import { ErrorMessage, type ErrorPageProps } from './_components/shell/error-message';
import './globals.css';

/** Stands in for the root layout when that itself failed, so it brings its own document. */
export default function GlobalError(props: ErrorPageProps) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong · Tierwatch</title>
        <ErrorMessage {...props} />
      </body>
    </html>
  );
}
