import { engineNow } from '../../../runtime/clock.ts';
import { addressKey, type Address } from './address.ts';
import type { FrontRoutes } from './front-routes.ts';
import type { PublicPorts } from './public-ports.ts';
import type { Refusals } from './refusals.ts';
import {
  bindingRefusal,
  bindingSuccess,
  isAuthentic,
  isStun,
  parseBindingRequest,
  type BindingRequest,
} from './stun.ts';
import type { UdpSocket } from './udp-sockets.ts';

/** Where answers to checks leave. They are there when the first packet comes. */
interface Sockets {
  readonly ports: () => Pick<PublicPorts, 'send' | 'claim'>;
  readonly inner: () => Pick<UdpSocket, 'send'>;
}

/** What becomes of each packet that reaches the front: checks are answered, all else goes to the session that it is for. */
export class FrontPackets {
  readonly #routes: FrontRoutes;
  readonly #refusals: Refusals;
  readonly #sockets: Sockets;

  constructor(routes: FrontRoutes, refusals: Refusals, sockets: Sockets) {
    this.#routes = routes;
    this.#refusals = refusals;
    this.#sockets = sockets;
  }

  /**
   * @param at the earliest time at which it can have come. @returns whether the packet is known to come from a client.
   */
  fromClient(packet: Buffer, from: Address, at = engineNow()): boolean {
    if (!isStun(packet)) {
      const key = addressKey(from);
      const session = this.#routes.ofAddress(key);
      session?.fromClient(packet, key, at);
      return session !== undefined;
    }
    const request = parseBindingRequest(packet);
    if (request === null) return this.#routes.ofAddress(addressKey(from))?.answered(packet) ?? false;
    const found = this.#routes.ofUfrag(request.localUfrag);
    if (!found) return this.#isRefused(request, from);
    const { generation, session } = found;
    const { password } = generation.credentials;
    if (!isAuthentic(request, password)) return false;
    const ports = this.#sockets.ports();
    const revoked = session.revokes(from, engineNow());
    if (revoked === 'refuse') ports.send(bindingRefusal(request, password), from, 'other');
    if (revoked !== null) return true;
    if (!session.checked(generation, request, from, at)) return false;
    ports.claim(from);
    ports.send(bindingSuccess(request, from.ip, from.port, password), from, 'other');
    session.checkAnswered();
    return true;
  }

  fromPeer(datagram: Buffer, from: Address): void {
    if (!isStun(datagram)) return this.#routes.ofInnerPort(from.port)?.fromPeer(datagram, from.port);
    const request = parseBindingRequest(datagram);
    const session = request && this.#routes.ofInnerUfrag(request.localUfrag);
    const link = session?.linkOf(request!.localUfrag);
    if (!request || !session || !link || !isAuthentic(request, link.credentials.password)) return;
    session.linkFound(link, from.port);
    this.#sockets.inner().send(bindingSuccess(request, from.ip, from.port, link.credentials.password), from);
  }

  /** A check of a session that is not here. @returns whether its sender was a client of this deployment. */
  #isRefused(request: BindingRequest, from: Address): boolean {
    const refusal = this.#refusals.to(request, engineNow());
    if (refusal !== null) this.#sockets.ports().send(refusal, from, 'other');
    return refusal !== null;
  }
}
