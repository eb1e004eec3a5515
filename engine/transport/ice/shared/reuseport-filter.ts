import type { Socket } from 'node:dgram';
import koffi from 'koffi';

/** Numbers of Linux (`asm-generic/socket.h`, `linux/filter.h`). */
const SOL_SOCKET = 1;
const SO_ATTACH_REUSEPORT_CBPF = 51;
/** `BPF_RET | BPF_K`: the program answers a constant. */
const RETURN_CONSTANT = 0x06;

const setsockopt = loadSetsockopt();

function loadSetsockopt(): ((...args: readonly unknown[]) => number) | null {
  if (process.platform !== 'linux') return null;
  try {
    return koffi.load(null).func('int setsockopt(int, int, int, const void *, unsigned int)');
  } catch {
    return null;
  }
}

/**
 * Makes this socket, the first that was bound to its port with `reusePort`, the one that gets whatever is not from the
 * client of a connected socket. Without it the kernel spreads such packets over all sockets of the port, also those that
 * were bound a moment ago and are not connected yet.
 * @returns whether the kernel does so.
 */
export function receiveAllUnconnected(socket: Socket): boolean {
  const fd = descriptorOf(socket);
  if (setsockopt === null || fd === null) return false;
  // struct sock_filter: code, two jumps, and the constant: the place of the socket in the order of binding.
  const instruction = Buffer.alloc(8);
  instruction.writeUInt16LE(RETURN_CONSTANT, 0);
  // struct sock_fprog: the number of instructions, and where they are.
  const program = Buffer.alloc(16);
  program.writeUInt16LE(1, 0);
  program.writeBigUInt64LE(koffi.address(instruction), 8);
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, program, program.length) === 0;
}

/** Node keeps it to itself. Null if it has moved. */
function descriptorOf(socket: Socket): number | null {
  const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol');
  const handle = state && (socket as unknown as Record<symbol, { handle?: { fd?: number } }>)[state]?.handle;
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}
