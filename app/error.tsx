'use client';

import { ErrorMessage, type ErrorPageProps } from './_components/shell/error-message';

export default function ErrorPage(props: ErrorPageProps) {
  return <ErrorMessage {...props} />;
}
