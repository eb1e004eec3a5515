import { engineNow, type Timers } from '../../../runtime/clock.ts';
import { ClientHello } from './client-hello.ts';
import type { IceCredentials } from './credentials.ts';
import { DTLS_ALERT, DTLS_DATA, DTLS_HANDSHAKE, isClientHello } from './dtls-record.ts';
import type { RevocationHandlers } from '../../ports.ts';
import { ConsentRevocation } from './consent-revocation.ts';
import { addressKey, type Address, type PathProtocol } from './address.ts';
import { PublicPath, type Generation } from './public-path.ts';
import { SilenceWatch, type SilenceChange } from './silence-watch.ts';
import type { Silence } from '../outage-rules.ts';
import type { BindingRequest } from './stun.ts';
import type { PacketKind } from './tcp/send-queue.ts';

/** What a front session needs of the front: its tables and its sockets. */
export interface FrontTables {
  readonly timers: Timers;
  readonly innerPort: number;
  freshCredentials(): IceCredentials;
  addGeneration(generation: Generation, session: FrontSession): void;
  /** Checks with its credentials are refused from now on. */
  removeGeneration(generation: Generation): void;
  /** Gives an address to a session. If another session had it, it is taken from that one. */
  addAddress(key: string, session: FrontSession): void;
  removeAddress(key: string, session: FrontSession): void;
  addInner(ufrag: string, session: FrontSession): void;
  removeInner(ufrag: string, port: number | null, session: FrontSession): void;
  addInnerPort(port: number, session: FrontSession): void;
  removeSession(session: FrontSession): void;
  sendOut(packet: Buffer, to: Address, kind: PacketKind): void;
  sendIn(datagram: Buffer, port: number): void;
}

export interface FrontSessionHandlers {
  /** No packet from the client for the silence limit. */
  quiet(): void;
  /** Packets are back after `quiet`. */
  flowing(quietMs: number): void;
  /** Our packets to the client go by UDP or TCP from now on: after the first choice of a path, and after each change. */
  pathChosen(protocol: PathProtocol): void;
}

/** The loopback side of one peer: credentials for its whole life, and its port once its first packet has come. */
export interface InnerLink {
  readonly credentials: IceCredentials;
  /** Where the peer finds the front. */
  readonly frontPort: number;
}

/**
 * Of an RTP packet, which is encrypted without its header. Other packets have no meaning there, or a number that no
 * answer contains: RTCP has 72 to 79 (RFC 5761).
 */
function payloadType(packet: Buffer): number {
  return packet[0]! >= 0x80 ? packet[1]! & 0x7f : -1;
}

/** A number that no generation has. */
const NOBODY = Number.POSITIVE_INFINITY;

/**
 * One client's peer connection as the front sees it: public credentials and addresses on one side, the current peer on
 * the other.
 */
export class FrontSession {
  readonly #front: FrontTables;
  readonly #handlers: FrontSessionHandlers;
  readonly #path = new PublicPath();
  readonly #silence = new SilenceWatch();
  #link: (InnerLink & { port: number | null }) | null = null;
  readonly #clientHello: ClientHello;
  #farewell: 'withheld' | 'passed' = 'withheld';
  #alertAt: number | null = null;
  #dataAt: number | null = null;
  #lastSilence: Silence | null = null;
  /**
   * The first generation that belongs to the current peer. Checks of older generations only show that the client is
   * alive: they are not answered. The peer sends nothing before the first check of this generation, because the client
   * does not know of it until then.
   */
  #answeredFrom = 0;
  #heardAt: number | null = null;
  #videoPayloadTypes: readonly number[] = [];
  #protocol: PathProtocol | null = null;
  /** The session goes on elsewhere. */
  #revocation: ConsentRevocation | null = null;

  constructor(front: FrontTables, handlers: FrontSessionHandlers) {
    this.#front = front;
    this.#handlers = handlers;
    this.#clientHello = new ClientHello(front.timers, (datagram) => {
      const to = this.#path.selectedSince(this.#answeredFrom);
      if (to !== null) front.sendOut(datagram, to, 'other');
    });
  }

  /** When the client last sent a DTLS alert: this is how it closes the connection. */
  get alertAt(): number | null {
    return this.#alertAt;
  }

  /** When the client last sent DTLS data, that is SCTP: a message or an acknowledgement. */
  get dataAt(): number | null {
    return this.#dataAt;
  }

  /** When the client last sent anything at all; null: never. */
  get heardAt(): number | null {
    return this.#heardAt;
  }

  /** How our packets to the client travel, or did until its connection broke; null: it has not chosen a path yet. */
  get protocol(): PathProtocol | null {
    return this.#protocol;
  }

  /** The client's current silence, or else its last one; null when there was none. */
  silence(now: number): Silence | null {
    if (this.#silence.isQuiet) return { lastedMs: now - this.#silence.heardAt!, endedAt: null };
    return this.#lastSilence;
  }

  /**
   * New public credentials for the answer to an offer. Those of the offer before stay valid until the next.
   * @param client the client's own credentials in that offer. @param videoPayloadTypes those of video and of its
   * retransmissions from now on.
   */
  renewCredentials(client: IceCredentials, videoPayloadTypes: readonly number[] = []): IceCredentials {
    this.#videoPayloadTypes = videoPayloadTypes;
    const { current, forgotten } = this.#path.renew(this.#front.freshCredentials(), client);
    if (this.#answeredFrom === NOBODY) this.#answeredFrom = current.number;
    if (forgotten) this.#front.removeGeneration(forgotten);
    this.#front.addGeneration(current, this);
    return current.credentials;
  }

  /**
   * Makes a new peer the current one. From now on only its packets reach the client, and it gets all packets of the
   * client.
   */
  connectPeer(): InnerLink {
    this.#dropLink();
    this.#clientHello.drop();
    this.#answeredFrom = NOBODY;
    this.#link = { credentials: this.#front.freshCredentials(), frontPort: this.#front.innerPort, port: null };
    this.#front.addInner(this.#link.credentials.ufrag, this);
    return this.#link;
  }

  /**
   * There is no peer any more. Checks are no longer answered, so the client notices and sends a new offer.
   * `renewCredentials` ends this.
   */
  withdraw(): void {
    this.#answeredFrom = NOBODY;
  }

  /**
   * The session goes on elsewhere: the client is sent away, so that it makes a new offer. What it sends and what the peer
   * sends still passes.
   */
  revokeConsent(handlers: RevocationHandlers): void {
    this.#revocation ??= new ConsentRevocation(handlers);
  }

  /** The peer is being closed on purpose: its closing alert is to reach the client. */
  passFarewell(): void {
    this.#farewell = 'passed';
  }

  close(): void {
    this.#dropLink();
    this.#clientHello.drop();
    for (const generation of this.#path.generations) this.#front.removeGeneration(generation);
    for (const key of this.#path.addresses) this.#front.removeAddress(key, this);
    this.#front.removeSession(this);
  }

  // ── called by the front ──

  /** What becomes of an authentic check because the session goes on elsewhere. Null: it does not. */
  revokes(from: Address, at: number): 'refuse' | 'ignore' | null {
    if (this.#revocation === null) return null;
    this.#heardAt = at;
    const key = addressKey(from);
    this.#checkedFrom(key, at);
    return this.#revocation.takes(this.#path.goesTo(key), at);
  }

  /** @returns whether the datagram answers a check of ours. */
  answered(datagram: Buffer): boolean {
    return this.#revocation?.answered(datagram) ?? false;
  }

  /** @returns whether the check is to be answered. */
  checked(authenticated: Generation, request: BindingRequest, from: Address, at: number): boolean {
    this.#heardAt = at;
    const generation = this.#path.generationOf(authenticated, request);
    if (generation.number < this.#answeredFrom || !this.#path.isValid(generation)) return false;
    const { forgotten } = this.#path.checked(generation, request, from, at);
    const key = addressKey(from);
    this.#front.addAddress(key, this);
    if (forgotten !== null) this.#front.removeAddress(forgotten, this);
    this.#tellProtocol();
    this.#checkedFrom(key, at);
    return true;
  }

  /** The answer to a check is on its way: what comes after it finds a client that knows of its path. */
  checkAnswered(): void {
    this.#clientHello.deliver();
  }

  fromClient(datagram: Buffer, key: string, at: number): void {
    this.#heardAt = at;
    const type = datagram[0];
    if (type === DTLS_ALERT) this.#alertAt = at;
    else if (type === DTLS_HANDSHAKE) this.#clientHello.drop();
    else if (type === DTLS_DATA) this.#dataAt = at;
    if (this.#link?.port != null) this.#front.sendIn(datagram, this.#link.port);
    if (this.#path.used(key, at)) this.#tellProtocol();
    // From whichever of its pairs. After a silence, what we send goes there now.
    this.#tell(this.#silence.heard(at));
  }

  fromPeer(datagram: Buffer, port: number): void {
    if (port !== this.#link?.port) return;
    // A peer that gives up sends an alert. The client would then close its channel, which a fresh peer could have taken
    // over.
    if (datagram[0] === DTLS_ALERT && this.#farewell === 'withheld') return;
    if (isClientHello(datagram)) return this.#clientHello.came(datagram);
    const to = this.#path.selectedSince(this.#answeredFrom);
    if (to === null) return;
    const check = this.#revocation?.check(this.#path.generations.at(-1)!, engineNow()) ?? null;
    if (check !== null) this.#front.sendOut(check, to, 'other');
    this.#front.sendOut(datagram, to, this.#videoPayloadTypes.includes(payloadType(datagram)) ? 'video' : 'other');
  }

  linkOf(ufrag: string): InnerLink | null {
    return this.#link?.credentials.ufrag === ufrag ? this.#link : null;
  }

  linkFound(link: InnerLink, port: number): void {
    if (link !== this.#link || this.#link.port === port) return;
    this.#link.port = port;
    this.#front.addInnerPort(port, this);
  }

  /**
   * The address belongs to another session now (a client that connected anew from the same port), or its TCP connection
   * was closed.
   */
  forget(key: string): void {
    this.#path.forget(key);
  }

  checkSilence(at: number): void {
    this.#tell(this.#silence.check(at));
  }

  /**
   * A check ends a silence if it comes from the address to which we send. What we send after a check of another address
   * is lost, and the data channel would wait 16 s or more before it repeats that (measured when a client came back with a
   * new address).
   */
  #checkedFrom(key: string, at: number): void {
    if (this.#path.goesTo(key)) this.#tell(this.#silence.heard(at));
  }

  #tellProtocol(): void {
    const protocol = this.#path.selected?.protocol ?? null;
    if (protocol === null || protocol === this.#protocol) return;
    this.#protocol = protocol;
    this.#handlers.pathChosen(protocol);
  }

  #tell(change: SilenceChange | null): void {
    if (change?.kind === 'quiet') this.#handlers.quiet();
    else if (change?.kind === 'flowing') {
      this.#lastSilence = { lastedMs: change.quietMs, endedAt: this.#silence.heardAt };
      this.#handlers.flowing(change.quietMs);
    }
  }

  #dropLink(): void {
    if (this.#link) this.#front.removeInner(this.#link.credentials.ufrag, this.#link.port, this);
    this.#link = null;
  }
}
