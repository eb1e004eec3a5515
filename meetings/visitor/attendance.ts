import { setTimeout as pause } from 'node:timers/promises';
import type { MeetingProvider, OffButton, Screen, Step } from '../providers/provider.ts';
import { DeviceSwitch } from './device-switch.ts';
import type { MeetingScreen } from './screen.ts';
import type { Place, VisitEnd } from './visitor-messages.ts';

/** ms between two looks at the page. */
const LOOK_MS = { onTheWay: 300, inCall: 1_000 } as const;
/** Looks after which a button that did nothing is pressed again: the page may not have been ready. */
const AGAIN_AFTER = 10;
/** Looks without any sign of the call, in a row, after which it counts as over. */
const LOOKS_WITHOUT_CALL = 20;
/** ms that one look at a page takes at most. */
const LOOK_WITHIN_MS = 10_000;
/** Looks in a row that a page does not answer. */
const MAX_UNANSWERED = 3;
/** Looks in the call after which a page that has not asked for the devices has refused them. */
const LOOKS_WITHOUT_DEVICES = 30;

/** Ends that a screen means, on the way in. */
const REFUSED: Partial<Record<Screen, VisitEnd>> = {
  invalid: { state: 'error', reason: 'meeting_link_invalid', message: 'There is no such meeting.' },
  password: {
    state: 'error',
    reason: 'join_denied',
    message: 'The meeting asks for a password that is not in its link.',
  },
  denied: { state: 'error', reason: 'join_denied', message: 'The meeting did not let the persona in.' },
  removed: { state: 'error', reason: 'join_denied', message: 'The meeting did not let the persona in.' },
  ended: { state: 'error', reason: 'meeting_ended', message: 'The meeting was over.' },
};
/** Ends that a screen means, in the call. */
const OVER: Partial<Record<Screen, VisitEnd>> = {
  removed: { state: 'left', reason: 'removed_by_host', message: 'Somebody removed the persona from the meeting.' },
  denied: { state: 'left', reason: 'removed_by_host', message: 'Somebody removed the persona from the meeting.' },
  ended: { state: 'left', reason: 'meeting_ended', message: 'The meeting has ended.' },
  invalid: { state: 'left', reason: 'meeting_ended', message: 'The meeting has ended.' },
};
const NO_CALL: VisitEnd = {
  state: 'left',
  reason: 'meeting_ended',
  message: "The meeting's page shows no call any more.",
};
const HANGS: VisitEnd = { state: 'error', reason: 'provider_error', message: "The meeting's page does not answer." };

export interface AttendanceHandlers {
  at(place: Place): void;
  end(end: VisitEnd): void;
}

/** A guest's way through the pages of a meeting: it does the steps on the way in, and sees how it goes on. */
export class Attendance {
  readonly #provider: MeetingProvider;
  readonly #name: string;
  readonly #handlers: AttendanceHandlers;
  readonly #lookMs: Readonly<Record<keyof typeof LOOK_MS, number>>;
  readonly #pressed = new Map<Step, number>();
  #place: Place | null = null;
  #devices: 'none' | 'taken' | 'sent' = 'none';
  readonly #switches: readonly (OffButton & { readonly state: DeviceSwitch })[];
  #toldDevices: Place | null = null;
  #unanswered = 0;

  constructor(
    provider: MeetingProvider,
    name: string,
    handlers: AttendanceHandlers,
    lookMs: Readonly<Record<keyof typeof LOOK_MS, number>> = LOOK_MS,
  ) {
    this.#lookMs = lookMs;
    this.#provider = provider;
    this.#name = name;
    this.#handlers = handlers;
    this.#switches = provider.turnOn.map((button) => ({ ...button, state: new DeviceSwitch() }));
  }

  /** The page has asked for camera or microphone. */
  devicesTaken(): void {
    if (this.#devices === 'none') this.#devices = 'taken';
    this.#tellDevices();
  }

  /** The page sends sound or picture. */
  mediaSent(): void {
    this.#devices = 'sent';
    this.#tellDevices();
  }

  /** Until the end of the visit. @param isOver whether it has ended otherwise. */
  async follow(screen: MeetingScreen, isOver: () => boolean): Promise<void> {
    for (let look = 0; !isOver() && this.#place !== 'in_call'; look += 1) {
      if (await this.#answers(this.#onTheWay(screen, look))) await pause(this.#lookMs.onTheWay);
    }
    this.#tellDevices();
    let without = 0;
    for (let look = 0; !isOver(); look += 1) {
      await this.#answers(
        (async () => {
          const shown = await screen.readInCall();
          const end = shown === null ? undefined : OVER[shown];
          if (end !== undefined) return this.#handlers.end(end);
          without = shown === 'in_call' ? 0 : without + 1;
          if (without === LOOKS_WITHOUT_CALL) return this.#handlers.end(NO_CALL);
          await this.#lookAtDevices(screen);
          if (look === LOOKS_WITHOUT_DEVICES && this.#devices === 'none') this.#handlers.at('media_denied');
        })(),
      );
      await pause(this.#lookMs.inCall);
    }
  }

  async #onTheWay(screen: MeetingScreen, look: number): Promise<void> {
    const shown = await screen.read();
    const refused = shown === null ? undefined : REFUSED[shown];
    if (refused !== undefined) return this.#handlers.end(refused);
    if (shown === 'waiting_room' || shown === 'not_started' || shown === 'in_call') return this.#arrive(shown);
    for (const step of this.#provider.steps) {
      if (step.do === 'fill in the name') await screen.fill(step.find, this.#name);
      else if (look - (this.#pressed.get(step) ?? -AGAIN_AFTER) >= AGAIN_AFTER && (await screen.press(step.find)))
        this.#pressed.set(step, look);
    }
  }

  #arrive(place: Place): void {
    if (this.#place === place) return;
    this.#place = place;
    this.#handlers.at(place);
  }

  #tellDevices(): void {
    if (this.#place !== 'in_call' || this.#devices === 'none') return;
    const isMuted = this.#switches.some(({ device, state }) => device === 'microphone' && state.isOff);
    const place = this.#devices === 'taken' || isMuted ? 'media_granted' : 'media_active';
    if (place === this.#toldDevices) return;
    this.#toldDevices = place;
    this.#handlers.at(place);
  }

  /** What is off when the persona comes is turned on. What is off later was turned off by somebody. */
  async #lookAtDevices(screen: MeetingScreen): Promise<void> {
    for (const { find, state } of this.#switches) {
      if (state.look(await screen.isVisible(find)) && (await screen.press(find))) state.pressed();
    }
    this.#tellDevices();
  }

  /** @returns whether the page answered in time. One that does not, several times, is left. */
  async #answers(look: Promise<void>): Promise<boolean> {
    const waiting = new AbortController();
    const answered = await Promise.race([
      look.then(() => true),
      pause(LOOK_WITHIN_MS, false, { signal: waiting.signal }).catch(() => true),
    ]);
    waiting.abort();
    this.#unanswered = answered ? 0 : this.#unanswered + 1;
    if (this.#unanswered === MAX_UNANSWERED) this.#handlers.end(HANGS);
    return answered;
  }
}
