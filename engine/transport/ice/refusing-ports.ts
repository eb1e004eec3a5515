import type { Socket } from 'node:dgram';
import { engineNow } from '../../../runtime/clock.ts';
import { addressedSocket, bound } from './addressed-socket.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { Refusals } from './refusals.ts';
import { parseBindingRequest } from './stun.ts';

/** Where a process gets the media of its clients. */
export interface MediaPorts {
  /** Local addresses. */
  readonly ips: readonly string[];
  readonly udpPort: number;
  /** Of the credentials of its sessions, 32 bytes. */
  readonly key: Uint8Array;
}

export interface RefusingPorts {
  close(): Promise<void>;
}

/**
 * Takes the UDP port of a process that died, and refuses the checks of its clients, so that they come back at once and not
 * when they notice by themselves. Over TCP they notice at once.
 * @throws Error of the operating system when an address or the port cannot be bound.
 */
export async function openRefusingPorts(
  { ips, udpPort, key }: MediaPorts,
  failed: (error: Error) => void,
): Promise<RefusingPorts> {
  const refusals = new Refusals(new IceCredentialMaker(Buffer.from(key)), engineNow());
  const sockets: Socket[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  };
  const received = (
    socket: Socket,
    packet: Buffer,
    from: { readonly address: string; readonly port: number },
  ): void => {
    const request = parseBindingRequest(packet);
    const refusal = request === null ? null : refusals.to(request, engineNow());
    if (refusal !== null) socket.send(refusal, from.port, from.address, () => {});
  };
  try {
    for (const ip of ips) {
      const socket = addressedSocket(ip.includes(':') ? 6 : 4);
      sockets.push(socket);
      await bound(socket, udpPort, ip);
      socket.on('error', failed);
      socket.on('message', (packet, from) => {
        try {
          received(socket, packet, from);
        } catch (error) {
          failed(error as Error);
        }
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
