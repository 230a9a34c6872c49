/** Our name beside its mark: three bars, one for each tier. */
export function Wordmark() {
  return (
    <p className="flex items-center gap-2 font-medium text-card">
      <svg aria-hidden="true" viewBox="0 0 16 16" className="size-5">
        <rect x="1" y="10" width="3.5" height="5" rx="1" className="fill-tier-1" />
        <rect x="6.25" y="6" width="3.5" height="9" rx="1" className="fill-tier-2" />
        <rect x="11.5" y="1" width="3.5" height="14" rx="1" className="fill-tier-3" />
      </svg>
      Tierwatch
    </p>
  );
}
