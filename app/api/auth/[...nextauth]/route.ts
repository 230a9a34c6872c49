import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { nextAuthOptions } from '@/lib/identity/auth/next-auth-options';

type Context = { params: Promise<{ nextauth: string[] }> };

function handler(request: NextRequest, context: Context): Promise<Response> {
  return NextAuth(request, context, nextAuthOptions());
}

export { handler as GET, handler as POST };
