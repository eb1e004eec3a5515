import type { MeetingHandlers, MeetingVisit, MeetingVisitRequest } from '../control/ports.ts';
import type { Timers } from '../runtime/clock.ts';
import type { Launch } from '../runtime/link.ts';
import type { Requests } from '../runtime/requests.ts';
import { SupervisedWorker } from '../runtime/supervised-worker.ts';
import type { VisitLimits } from './visit-limits.ts';
import type { FromVisitor, Place, ToVisitor, VisitEnd, VisitorSettings } from './visitor/visitor-messages.ts';

const JOIN_TOO_LONG: VisitEnd = {
  state: 'error',
  reason: 'provider_error',
  message: "The persona did not find its way through the meeting's page in time.",
};
const NOT_ADMITTED: VisitEnd = {
  state: 'error',
  reason: 'not_admitted',
  message: 'Nobody let the persona in.',
};
const NOT_STARTED: VisitEnd = {
  state: 'error',
  reason: 'meeting_not_started',
  message: 'The meeting was not opened in time.',
};
const ALONE: VisitEnd = {
  state: 'done',
  reason: 'idle_timeout',
  message: 'Nobody else was in the meeting any more.',
};
const LONGEST: VisitEnd = {
  state: 'done',
  reason: 'left_call',
  message: 'The longest time of a visit was over.',
};
const ASKED: VisitEnd = { state: 'left', reason: 'left_call', message: 'The persona left the meeting.' };
const DIED: VisitEnd = { state: 'error', reason: 'provider_error', message: 'The browser of the visit ended.' };

export interface VisitOptions {
  readonly request: MeetingVisitRequest;
  readonly handlers: MeetingHandlers;
  readonly settings: VisitorSettings;
  readonly limits: VisitLimits;
  readonly launch: Launch<ToVisitor, FromVisitor>;
  readonly clock: Timers;
  /** For the operator. */
  warn(message: string): void;
  /** Called after `handlers.ended`, when the process is gone. */
  gone(): Promise<void>;
}

/** One visit, seen from the service: the process that makes it, its times, and what is told of it. */
export class Visit implements MeetingVisit {
  readonly #options: VisitOptions;
  readonly #worker: SupervisedWorker<ToVisitor, FromVisitor>;
  readonly #pictures: Requests<ToVisitor, Uint8Array | null>;
  readonly #gone = Promise.withResolvers<void>();
  readonly #longest: unknown;
  /** Of the place where the persona is. */
  #patience: unknown;
  #alone: unknown = null;
  #isIn = false;
  /** Why it is being left, when the service decided it. */
  #decided: VisitEnd | null = null;
  /** As the process told it. */
  #told: VisitEnd | null = null;
  #isLeaving = false;

  constructor(options: VisitOptions) {
    this.#options = options;
    const { clock, limits, request, handlers } = options;
    this.#worker = new SupervisedWorker<ToVisitor, FromVisitor>({
      name: 'The visit',
      start: 'never again',
      launch: options.launch,
      stop: { message: { type: 'leave' }, withinMs: limits.leaveMs },
      clock,
      message: (message) => this.#received(message),
      ended: () => this.#ended(),
    });
    this.#pictures = this.#worker.requests();
    this.#longest = clock.setTimeout(() => this.#leave(LONGEST), request.longestMs);
    this.#patience = clock.setTimeout(() => this.#leave(JOIN_TOO_LONG), limits.joinMs);
    this.#worker.post({ type: 'go', settings: options.settings });
    handlers.state('joining');
  }

  leave(): Promise<void> {
    this.#leave(ASKED);
    return this.#gone.promise;
  }

  picture(): Promise<Uint8Array | null> {
    return this.#pictures.ask((id) => ({ type: 'picture', id })).catch(() => null);
  }

  #received(message: FromVisitor): void {
    switch (message.type) {
      case 'at':
        return this.#arrived(message.place);
      case 'others':
        if (this.#isIn) this.#countOthers(message.count);
        return;
      case 'picture':
        return this.#pictures.resolve(message.id, message.jpeg);
      case 'leaving':
        return this.#tellLeaving(message.end);
      case 'trouble':
        return this.#options.warn(message.message);
      case 'over':
        this.#told = message.end;
    }
  }

  #arrived(place: Place): void {
    const { handlers, limits } = this.#options;
    if (place === 'not_started') return this.#wait(NOT_STARTED, limits.notStartedMs);
    handlers.state(place);
    if (place === 'waiting_room') this.#wait(NOT_ADMITTED, limits.waitingRoomMs);
    if (place !== 'in_call' || this.#isIn) return;
    this.#isIn = true;
    this.#options.clock.clearTimeout(this.#patience);
    this.#countOthers(0);
    void this.#startSession();
  }

  async #startSession(): Promise<void> {
    const session = await this.#options.handlers.admitted().catch(() => null);
    if (session === null) this.#leave(ASKED);
    else this.#worker.post({ type: 'session', session });
  }

  #wait(end: VisitEnd, ms: number): void {
    const { clock } = this.#options;
    clock.clearTimeout(this.#patience);
    this.#patience = clock.setTimeout(() => this.#leave(end), ms);
  }

  #countOthers(others: number): void {
    const { clock, limits } = this.#options;
    if (others > 0) {
      clock.clearTimeout(this.#alone);
      this.#alone = null;
    } else this.#alone ??= clock.setTimeout(() => this.#leave(ALONE), limits.aloneMs);
  }

  #leave(end: VisitEnd): void {
    this.#decided ??= end;
    this.#tellLeaving(this.#decided);
    void this.#worker.stop();
  }

  #tellLeaving(end: VisitEnd): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#options.handlers.leaving(end);
  }

  #ended(): void {
    const { clock, handlers, gone } = this.#options;
    for (const timer of [this.#longest, this.#patience, this.#alone]) clock.clearTimeout(timer);
    this.#isLeaving = true;
    // That the session is over is no reason where it ended because the service decided to leave.
    const seen = this.#decided !== null && this.#told?.reason === 'left_call' ? null : this.#told;
    handlers.ended(seen ?? this.#decided ?? DIED);
    void gone().then(() => this.#gone.resolve());
  }
}
