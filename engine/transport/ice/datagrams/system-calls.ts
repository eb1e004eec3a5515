import koffi from 'koffi';

/**
 * The system calls of Linux that take many datagrams at once (recvmmsg(2), sendmmsg(2)). Node has none: it makes one call,
 * one buffer of 64 KB and one event for each datagram. Here, memory is written as the kernel lays it out on 64-bit
 * machines.
 */
export interface DatagramCalls {
  /** @returns how many came; 0 when none waits. */
  receive(fd: number, headers: Buffer, count: number): number;
  /** @returns how many were taken, or the number of the error with which the first of them was refused, negative. */
  send(fd: number, headers: Buffer, count: number): number;
  /** Where the memory of a buffer begins. */
  addressOf(buffer: Buffer): bigint;
}

const MSG_DONTWAIT = 0x40;

/** Null where the system does not have them. */
export const datagramCalls: DatagramCalls | null = load();

function load(): DatagramCalls | null {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
  try {
    const system = koffi.load(null);
    const receive = system.func('int recvmmsg(int, void *, unsigned int, int, void *)');
    const send = system.func('int sendmmsg(int, void *, unsigned int, int)');
    return {
      receive: (fd, headers, count) => Math.max(0, receive(fd, headers, count, MSG_DONTWAIT, null) as number),
      send(fd, headers, count) {
        const taken = send(fd, headers, count, MSG_DONTWAIT) as number;
        return taken < 0 ? -koffi.errno() : taken;
      },
      addressOf: (buffer) => koffi.address(buffer) as bigint,
    };
  } catch {
    return null;
  }
}

/** `struct mmsghdr`: where its fields are. */
export const MESSAGE = {
  bytes: 64,
  name: 0,
  nameBytes: 8,
  parts: 16,
  partCount: 24,
  control: 32,
  controlBytes: 40,
  flags: 48,
  length: 56,
} as const;

/** `struct iovec`. */
export const PART = { bytes: 16, base: 0, length: 8 } as const;

/** `struct sockaddr_in`. */
export const ADDRESS = { bytes: 16, family: 0, port: 2, ip: 4 } as const;
export const AF_INET = 2;

/** The socket's queue is full (errno(3)). */
export const EAGAIN = 11;

/** In the flags of what was received: it was larger than its room. */
export const MSG_TRUNC = 0x20;
