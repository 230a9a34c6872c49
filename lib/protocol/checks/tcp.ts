import { openConnection } from './connection';
import { down, healthy, type Probe } from './outcome';
import { parseHostPort } from './target';

export const probeTcp: Probe = async (check, signal) => {
  const address = parseHostPort(check.target);
  if (!address) return down('The target is not host:port.');
  const socket = await openConnection(address.host, address.port, signal);
  socket.destroy();
  return healthy;
};
