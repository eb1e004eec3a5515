import type { Socket } from 'node:net';
import type { Address } from '../address.ts';

/** What an engine process tells the process that has the public ports. */
export type FromEngineOfPort =
  /** Checks with this user name are for it. */
  | { readonly kind: 'port.userName'; readonly ufrag: string }
  | { readonly kind: 'port.noUserName'; readonly ufrag: string }
  /** A packet that the kernel gave to a socket that was just being opened. */
  | { readonly kind: 'port.stray'; readonly packet: Uint8Array; readonly from: Address };

/** What it is told. A connection comes with its socket. */
export type ToEngineOfPort =
  | { readonly kind: 'port.packet'; readonly packet: Uint8Array; readonly from: Address }
  /** @param read what has been read from it so far. */
  | { readonly kind: 'port.connection'; readonly read: Uint8Array };

/** An engine process, as the owner of the ports sees it. */
export interface EngineOfPort {
  /** Never throws. A process that is gone gets nothing, and the socket is closed. */
  tell(message: ToEngineOfPort, socket?: Socket): void;
}
