/** The look that every text control shares. An error is also said in words beside the field. */
export const controlStyle =
  'w-full min-w-0 rounded-control border border-control bg-surface text-body text-text placeholder:text-text-3 hover:border-text-3 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-text-3 aria-invalid:border-bad-mark aria-invalid:ring-1 aria-invalid:ring-bad-mark';
