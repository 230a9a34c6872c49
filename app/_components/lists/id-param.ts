import { decodeId, type IdPrefix } from '@/lib/platform/ids';
import { type Params, textParam } from './list-params';

/** An id in the address, such as `chn_…`; what cannot be one counts as not said. */
export function idParam(params: Params, name: string, prefix: IdPrefix): string | undefined {
  const text = textParam(params, name);
  return text && decodeId(prefix, text) ? text : undefined;
}
