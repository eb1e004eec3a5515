import type { RoomParticipant, RoomReading, SoundSource } from './page-messages.ts';

/** ms between two looks at the page. */
const LOOK_MS = 500;
/** Limits of the messages to the session. */
const MAX_PARTICIPANTS = 200;
const MAX_ID_LENGTH = 128;
const MAX_NAME_LENGTH = 100;

export interface RoomWatchHandlers {
  /** The list has changed. */
  participants(participants: readonly RoomParticipant[]): void;
  speaking(participantId: string, speaking: boolean): void;
}

export interface Levels {
  sources(): readonly SoundSource[];
  speaking(key: string): boolean;
}

/** Who is in the meeting and who of them speaks, from what the page shows and from what its tracks sound like. */
export class RoomWatch {
  readonly #levels: Levels;
  readonly #read: () => RoomReading | null;
  readonly #handlers: RoomWatchHandlers;
  #reading: RoomReading = { participants: [] };
  #told = '[]';
  readonly #speaking = new Set<string>();

  constructor(levels: Levels, read: () => RoomReading | null, handlers: RoomWatchHandlers) {
    this.#levels = levels;
    this.#read = read;
    this.#handlers = handlers;
  }

  start(): void {
    setInterval(() => this.look(), LOOK_MS);
  }

  look(): void {
    let reading: RoomReading | null = null;
    try {
      reading = this.#read();
    } catch {
      // The page is being built, or has changed since its reader was written: what is known stays.
    }
    if (reading === null) return;
    this.#reading = {
      participants: reading.participants.slice(0, MAX_PARTICIPANTS).map((one) => ({
        ...one,
        id: String(one.id).slice(0, MAX_ID_LENGTH),
        name: String(one.name).slice(0, MAX_NAME_LENGTH),
      })),
    };
    const { participants } = this;
    const told = JSON.stringify(participants);
    if (told !== this.#told) {
      this.#told = told;
      this.#handlers.participants(participants);
    }
    this.soundChanged();
  }

  get participants(): readonly RoomParticipant[] {
    return this.#reading.participants.map(({ id, name }) => ({ id, name }));
  }

  /** A source began or ended to be speech, or the page changed. */
  soundChanged(): void {
    const now = speakers(this.#reading, this.#levels);
    for (const id of this.#speaking) {
      if (now.has(id)) continue;
      this.#speaking.delete(id);
      this.#handlers.speaking(id, false);
    }
    for (const id of now) {
      if (this.#speaking.has(id)) continue;
      this.#speaking.add(id);
      this.#handlers.speaking(id, true);
    }
  }
}

/**
 * A source that belongs to a participant tells when that one speaks. Where a meeting mixes its sources, the page's own
 * sign for the speaker is taken while any of them sounds; of a single other participant it needs none.
 */
function speakers({ participants }: RoomReading, levels: Levels): Set<string> {
  const speaking = new Set<string>();
  const owned = new Set<string>();
  for (const { id, sources } of participants) {
    for (const key of sources) {
      owned.add(key);
      if (levels.speaking(key)) speaking.add(id);
    }
  }
  const mixed = levels.sources().some(({ key }) => !owned.has(key) && levels.speaking(key));
  if (!mixed) return speaking;
  const only = participants.length === 1 ? participants[0] : undefined;
  if (only !== undefined) speaking.add(only.id);
  for (const { id, speaking: shown } of participants) if (shown === true) speaking.add(id);
  return speaking;
}
