import { describe, expect, it } from 'vitest';
import { isSignUpOpen } from './sign-up';

const local = 'http://127.0.0.1:3000';
const outside = 'https://watch.example';

describe('[SAS-1.1] sign-up', () => {
  it.each([
    { signUp: '', isLoopbackOnly: true, publicUrl: local, isOpen: true },
    { signUp: '', isLoopbackOnly: true, publicUrl: 'http://localhost:4312', isOpen: true },
    { signUp: '', isLoopbackOnly: true, publicUrl: 'http://[::1]:3000', isOpen: true },
    { signUp: '', isLoopbackOnly: true, publicUrl: outside, isOpen: false },
    { signUp: '', isLoopbackOnly: false, publicUrl: local, isOpen: false },
    { signUp: '', isLoopbackOnly: false, publicUrl: outside, isOpen: false },
    { signUp: 'open', isLoopbackOnly: false, publicUrl: outside, isOpen: true },
    { signUp: 'invite', isLoopbackOnly: true, publicUrl: local, isOpen: false },
  ] as const)('set to "$signUp" on $publicUrl, loopback $isLoopbackOnly: open $isOpen', (row) => {
    expect(isSignUpOpen(row)).toBe(row.isOpen);
  });
});
