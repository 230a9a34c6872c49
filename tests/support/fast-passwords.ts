/** Tests hash a password in 0.1 ms instead of 9. Its own test is about what installations do. */
import { PASSWORD_PARAMETERS } from '@/lib/platform/crypto/password';

Object.assign(PASSWORD_PARAMETERS, { memoryCost: 8, timeCost: 1 });
