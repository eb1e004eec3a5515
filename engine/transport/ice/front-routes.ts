import { addressKey, type Address } from './address.ts';
import type { FrontSession, FrontTables } from './front-session.ts';
import type { Generation } from './public-path.ts';
import type { PublicPorts } from './public-ports.ts';

type Registrations = Pick<
  FrontTables,
  | 'addGeneration'
  | 'removeGeneration'
  | 'addAddress'
  | 'removeAddress'
  | 'addInner'
  | 'removeInner'
  | 'addInnerPort'
  | 'removeSession'
>;

/** Which session a packet is for, by its user name, its address, or the port of its peer. */
export class FrontRoutes implements Registrations {
  readonly #ports: () => Pick<PublicPorts, 'addUfrag' | 'removeUfrag' | 'release'>;
  readonly #generations = new Map<string, { readonly generation: Generation; readonly session: FrontSession }>();
  readonly #addresses = new Map<string, FrontSession>();
  readonly #innerUfrags = new Map<string, FrontSession>();
  readonly #innerPorts = new Map<number, FrontSession>();
  readonly #sessions = new Set<FrontSession>();

  /** @param ports are told which user names and addresses are in use. */
  constructor(ports: () => Pick<PublicPorts, 'addUfrag' | 'removeUfrag' | 'release'>) {
    this.#ports = ports;
  }

  sessions(): Iterable<FrontSession> {
    return this.#sessions;
  }

  ofUfrag(ufrag: string): { readonly generation: Generation; readonly session: FrontSession } | undefined {
    return this.#generations.get(ufrag);
  }

  ofAddress(key: string): FrontSession | undefined {
    return this.#addresses.get(key);
  }

  ofInnerUfrag(ufrag: string): FrontSession | undefined {
    return this.#innerUfrags.get(ufrag);
  }

  ofInnerPort(port: number): FrontSession | undefined {
    return this.#innerPorts.get(port);
  }

  addSession(session: FrontSession): void {
    this.#sessions.add(session);
  }

  removeSession(session: FrontSession): void {
    this.#sessions.delete(session);
  }

  addGeneration(generation: Generation, session: FrontSession): void {
    const { ufrag } = generation.credentials;
    this.#generations.set(ufrag, { generation, session });
    this.#ports().addUfrag(ufrag);
  }

  removeGeneration({ credentials: { ufrag } }: Generation): void {
    this.#generations.delete(ufrag);
    this.#ports().removeUfrag(ufrag);
  }

  addAddress(key: string, session: FrontSession): void {
    const before = this.#addresses.get(key);
    if (before !== session) before?.forget(key);
    this.#addresses.set(key, session);
  }

  removeAddress(key: string, session: FrontSession): void {
    if (this.#addresses.get(key) !== session) return;
    this.#addresses.delete(key);
    this.#ports().release(key);
  }

  /** A TCP connection was closed, so its client cannot be reached there. */
  gone(address: Address): void {
    const key = addressKey(address);
    this.#addresses.get(key)?.forget(key);
    this.#addresses.delete(key);
  }

  addInner(ufrag: string, session: FrontSession): void {
    this.#innerUfrags.set(ufrag, session);
  }

  addInnerPort(port: number, session: FrontSession): void {
    this.#innerPorts.set(port, session);
  }

  removeInner(ufrag: string, port: number | null, session: FrontSession): void {
    this.#innerUfrags.delete(ufrag);
    // The port may belong to another session's peer by now.
    if (port !== null && this.#innerPorts.get(port) === session) this.#innerPorts.delete(port);
  }
}
