import type { IdSource } from '../kernel/clock.ts';
import type { SessionConfig } from '../session-config.ts';
import type { EngineDelays } from './fake-engine.ts';
import { SimulatedSession } from './simulated-session.ts';

/** The page tells that a track is quiet so much later (contract with the page). */
const HANGOVER_MS = 300;

/** A session in a meeting, with people who can be scripted. Their names are their ids. */
export class SimulatedMeeting {
  readonly session: SimulatedSession;
  readonly #skewMs: number;
  #others: string[] = [];

  /** @param skewMs by how much the page's word of who speaks comes later than the sound; less than 0: earlier. */
  constructor(
    options: {
      others?: readonly string[];
      groupCall?: boolean;
      displayName?: string;
      skewMs?: number;
      config?: Partial<SessionConfig>;
      delays?: Partial<EngineDelays>;
      ids?: IdSource;
    } = {},
  ) {
    const { others = ['Alice', 'Bob'], groupCall = true, displayName = 'Elena (AI)', skewMs = 0 } = options;
    this.#skewMs = skewMs;
    this.session = new SimulatedSession({
      config: { personaName: 'Elena', meeting: { displayName, groupCall }, ...options.config },
      ...(options.delays !== undefined && { delays: options.delays }),
      ...(options.ids !== undefined && { ids: options.ids }),
    });
    this.session.connect();
    this.present(...others).wait(500);
  }

  /** From now on, the sound and the page's word of who speaks come so much later, as from a busy machine. */
  late(ms: number): this {
    this.session.audioLateMs = ms;
    return this;
  }

  /** Who is there now. */
  present(...others: string[]): this {
    this.#others = others;
    const participants = others.map((name) => ({ id: name, name }));
    this.session.dispatch({ type: 'meeting.participants', participants });
    return this;
  }

  leaves(name: string): this {
    return this.present(...this.#others.filter((one) => one !== name));
  }

  wait(ms: number): this {
    this.session.wait(ms);
    return this;
  }

  /** Somebody speaks. Returns when the voice ends. */
  say(name: string, text: string, ms: number = text.length * 65): this {
    this.begin(name, text, ms);
    return this.wait(ms + this.#late(-1));
  }

  /** The same, but returns at once. */
  begin(name: string, text: string, ms: number = text.length * 65): this {
    const { session } = this;
    const speaks = (speaking: boolean) => () =>
      session.dispatch({ type: 'meeting.speaking', participantId: name, speaking });
    this.#at(this.#late(-1), () => session.beginToSpeak(text, ms));
    const told = this.#late(1) + session.audioLateMs;
    this.#at(told, speaks(true));
    this.#at(told + ms + HANGOVER_MS, speaks(false));
    return this;
  }

  #late(sign: 1 | -1): number {
    return Math.max(0, sign * this.#skewMs);
  }

  #at(ms: number, work: () => void): void {
    if (ms === 0) work();
    else this.session.clock.setTimeout(work, ms);
  }

  /** What was said, as the transcript has it. */
  transcript(): string[] {
    return this.session
      .reports('message')
      .map(({ message: { role, speaker, text } }) => `${role === 'persona' ? 'Elena' : (speaker ?? '?')}: ${text}`);
  }

  /** What the persona has said. */
  answers(): string[] {
    return this.transcript().filter((line) => line.startsWith('Elena: '));
  }
}
