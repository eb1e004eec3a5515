import type { Socket } from 'node:dgram';
import { engineNow } from '../../../runtime/clock.ts';
import { addressedSocket, bound } from './addressed-socket.ts';
import { DatagramReader } from './datagrams/datagram-reader.ts';
import { DatagramWriter } from './datagrams/datagram-writer.ts';
import { PolledReading, type SocketHandle } from './datagrams/polled-reading.ts';
import { datagramCalls } from './datagrams/system-calls.ts';
import type { LocalAddress } from './local-addresses.ts';
import type { Address } from './address.ts';

/** Room for about 30 ms of packets of 100 sessions while the event loop is busy. The kernel may grant less. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** Node keeps it to itself, but tells it of sockets of TCP. Null if it has moved. */
function handleOf(socket: Socket): SocketHandle | null {
  const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol');
  const handle = state && (socket as unknown as Record<symbol, { handle?: SocketHandle }>)[state]?.handle;
  return handle && handle.fd >= 0 && typeof handle.recvStop === 'function' ? handle : null;
}

/** @param at the earliest time at which it can have come. */
export type DatagramHandler = (datagram: Buffer, from: Address, at: number) => void;

/** One UDP socket of one family that never throws and never resolves names. */
export interface UdpSocket {
  readonly port: number;
  /** What is sent in one turn of the event loop may leave together at its end. Its memory may be used again at once. */
  send(datagram: Buffer, to: Pick<Address, 'ip' | 'port'>): void;
  /** Reads at the end of this turn of the event loop what has come by then, before the event loop would tell of it. */
  expect(): void;
  close(): Promise<void>;
}

/**
 * @param receive gets each datagram. Its memory may be used again afterwards. @param isMedia of what comes while it is
 * busy: many such packets may wait for each other for some milliseconds. @throws Error of the operating system when the
 * address or port cannot be bound.
 */
export async function openUdpSocket(options: {
  local: LocalAddress;
  port: number;
  /** Other processes of this user may bind the port, too. @defaultValue false */
  reusePort?: boolean;
  receive: DatagramHandler;
  isMedia?: (datagram: Buffer) => boolean;
  failed: (error: Error) => void;
}): Promise<UdpSocket> {
  const { ip, family, senders } = options.local;
  const socket = addressedSocket(family, options);
  await bound(socket, options.port, ip);
  const receive: DatagramHandler = (datagram, from, at) => {
    if (senders !== null && !senders.has(from.ip)) return;
    try {
      options.receive(datagram, from, at);
    } catch (error) {
      options.failed(error as Error);
    }
  };
  try {
    socket.setRecvBufferSize(BUFFER_BYTES);
    socket.setSendBufferSize(BUFFER_BYTES);
  } catch {
    // If the system refuses larger buffers, the socket works with the system's own size.
  }
  let stage: 'open' | 'closed' = 'open';
  // Errors of single packets (no route to a network that went away) are normal in networks. Without a callback, Node
  // drops them, and a packet costs a third less.
  const sendAlone = (datagram: Buffer, to: Pick<Address, 'ip' | 'port'>): void => {
    if (stage === 'open') socket.send(datagram, to.port, to.ip);
  };
  const handle = family === 4 ? handleOf(socket) : null;
  const many =
    datagramCalls === null || handle === null
      ? null
      : {
          reader: new DatagramReader(datagramCalls, handle.fd, ip),
          writer: new DatagramWriter(datagramCalls, handle.fd, sendAlone),
        };
  const { isMedia } = options;
  const polled =
    many === null || handle === null || isMedia === undefined
      ? null
      : new PolledReading(handle, { readAll: () => many.reader.readAll(seen) });
  function seen(datagram: Buffer, from: Address): void {
    const at = polled?.earliest ?? engineNow();
    if (polled !== null) polled.came(isMedia!(datagram));
    receive(datagram, from, at);
  }
  socket.on('error', options.failed);
  socket.on('message', (datagram, from) =>
    seen(datagram, { protocol: 'udp', ip: from.address, port: from.port, family, local: ip }),
  );
  let flush: 'idle' | 'scheduled' = 'idle';
  let reading: 'idle' | 'scheduled' = 'idle';
  return {
    port: socket.address().port,
    send(datagram, to) {
      if (many === null) return sendAlone(datagram, to);
      if (stage === 'closed') return;
      many.writer.add(datagram, to);
      if (flush === 'scheduled') return;
      flush = 'scheduled';
      process.nextTick(() => {
        flush = 'idle';
        if (stage === 'open') many.writer.flush();
      });
    },
    expect() {
      if (many === null || reading === 'scheduled') return;
      reading = 'scheduled';
      process.nextTick(() => {
        reading = 'idle';
        if (stage === 'open') many.reader.readAll(seen);
      });
    },
    close() {
      if (stage === 'open') many?.writer.flush();
      stage = 'closed';
      polled?.close();
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}
