import type { Socket } from 'node:net';
import koffi from 'koffi';

/** ioctl of Linux (tcp(7) calls the like of it SIOCOUTQ): bytes that were given to the kernel and not sent yet. */
const SIOCOUTQNSD = 0x894b;

type Ioctl = (fd: number, request: number, bytes: [number]) => number;

/** Null where the system does not have it. */
const ioctl = loadIoctl();

function loadIoctl(): Ioctl | null {
  if (process.platform !== 'linux') return null;
  try {
    return koffi.load(null).func('int ioctl(int, unsigned long, _Out_ int *)');
  } catch {
    return null;
  }
}

/**
 * How much of what was written to a connection the kernel has not sent yet, because the network or the other end takes
 * no more for now. Node has no function for it. @returns 0 also where the system does not tell.
 */
export function unsentBytes(socket: Socket): number {
  const { fd } = (socket as unknown as { readonly _handle: { readonly fd?: number } | null })._handle ?? {};
  if (ioctl === null || fd === undefined || fd < 0) return 0;
  const bytes: [number] = [0];
  return ioctl(fd, SIOCOUTQNSD, bytes) === 0 ? bytes[0] : 0;
}
