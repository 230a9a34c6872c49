import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { hrefWith } from '../lists/list-params';

/** Makes two moments (ISO 8601) the one span of the whole page, in its address. */
export function useShowSpan(): (from: string, to: string) => void {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  return (from, to) => {
    const change = { range: null, day: null, from, to };
    router.push(hrefWith(path, Object.fromEntries(params), change), { scroll: false });
  };
}
