import type { RestorableSession } from '../../../engine/index.ts';
import type { JournalAddition } from './messages.ts';

/**
 * Characters of one session: the log of hours of conversation, and its configuration. What needs more cannot go on
 * elsewhere.
 */
const MAX_SESSION_CHARACTERS = 32 * 1024 * 1024;
/** Of all sessions together. Then the longest journal is given up. */
const MAX_TOTAL_CHARACTERS = 512 * 1024 * 1024;

interface Kept {
  readonly owner: number;
  entries: string[];
  state: string | null;
  characters: number;
  /** When the last of it came, ms. */
  at: number;
}

/** What sessions of the engine processes need to go on in another one. Sealed text, in memory only. Pure: times are given. */
export class JournalsInMemory {
  readonly #kept = new Map<string, Kept>();
  /** Too long: what follows is not kept. */
  readonly #givenUp = new Map<string, number>();
  readonly #maxSessionCharacters: number;
  readonly #maxTotalCharacters: number;
  #characters = 0;

  constructor(limits: { readonly ofSession?: number; readonly ofAll?: number } = {}) {
    this.#maxSessionCharacters = limits.ofSession ?? MAX_SESSION_CHARACTERS;
    this.#maxTotalCharacters = limits.ofAll ?? MAX_TOTAL_CHARACTERS;
  }

  get characters(): number {
    return this.#characters;
  }

  /**
   * An engine process wrote this. A journal of another process begins anew: the session goes on here. @param owner number
   * of the life of the process. @returns sessions whose journals were given up for it.
   */
  add(owner: number, { sessionId, entries, state }: JournalAddition, at: number): string[] {
    if (this.#givenUp.get(sessionId) === owner) return [];
    let kept = this.#kept.get(sessionId);
    if (kept === undefined || kept.owner !== owner) {
      this.#remove(sessionId);
      kept = { owner, entries: [], state: null, characters: 0, at };
      this.#kept.set(sessionId, kept);
    }
    const before = kept.characters;
    // One by one: so many arguments as a session of some hours has entries overflow the stack.
    for (const entry of entries) {
      kept.entries.push(entry);
      kept.characters += entry.length;
    }
    if (state !== null) kept.characters += state.length - (kept.state?.length ?? 0);
    kept.state = state ?? kept.state;
    kept.at = at;
    this.#characters += kept.characters - before;
    const given: string[] = [];
    if (kept.characters > this.#maxSessionCharacters) given.push(sessionId);
    for (const id of given) this.#giveUp(id);
    while (this.#characters > this.#maxTotalCharacters) {
      const longest = this.#longest();
      if (longest === null) break;
      given.push(longest);
      this.#giveUp(longest);
    }
    return given;
  }

  /** A process goes on with this session: what it writes is added to what is known. @returns as `add`. */
  handTo(owner: number, { sessionId, entries, state }: RestorableSession, at: number): string[] {
    this.#remove(sessionId);
    return this.add(owner, { sessionId, entries, state }, at);
  }

  /** The session is over. Nothing happens if another process has it now. */
  close(owner: number, sessionId: string): void {
    if (this.#givenUp.get(sessionId) === owner) this.#givenUp.delete(sessionId);
    if (this.#kept.get(sessionId)?.owner === owner) this.#remove(sessionId);
  }

  /** Takes what is known of the sessions of a process that has ended. */
  takeOf(owner: number, now: number): RestorableSession[] {
    for (const [id, of] of this.#givenUp) if (of === owner) this.#givenUp.delete(id);
    const pasts: RestorableSession[] = [];
    for (const [sessionId, kept] of this.#kept) {
      if (kept.owner !== owner) continue;
      pasts.push({ sessionId, entries: kept.entries, state: kept.state, ageMs: now - kept.at });
      this.#remove(sessionId);
    }
    return pasts;
  }

  #longest(): string | null {
    let longest: { readonly id: string; readonly characters: number } | null = null;
    for (const [id, { characters }] of this.#kept)
      if (longest === null || characters > longest.characters) longest = { id, characters };
    return longest?.id ?? null;
  }

  #giveUp(sessionId: string): void {
    const owner = this.#kept.get(sessionId)?.owner;
    this.#remove(sessionId);
    if (owner !== undefined) this.#givenUp.set(sessionId, owner);
  }

  #remove(sessionId: string): void {
    this.#characters -= this.#kept.get(sessionId)?.characters ?? 0;
    this.#kept.delete(sessionId);
  }
}
