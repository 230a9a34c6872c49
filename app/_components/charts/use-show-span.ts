import { useRouter } from 'next/navigation';
import { useAddressParams } from '../lists/address-params';

/** Makes two moments (ISO 8601) the one span of the whole page, in its address. */
export function useShowSpan(): (from: string, to: string) => void {
  const router = useRouter();
  const { hrefWith } = useAddressParams();
  return (from, to) => {
    router.push(hrefWith({ range: null, day: null, from, to }), { scroll: false });
  };
}
