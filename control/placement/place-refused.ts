import { HttpError, type Refusal } from '../errors/http-error.ts';
import { sessionErrors } from '../errors/session-errors.ts';

/** This engine does not take this session, whatever was known of it. Another one may. */
export class PlaceRefused extends HttpError {
  readonly #refusal: Refusal;

  /** @param refusal what the client is told if no other engine takes it. */
  constructor(
    refusal: Refusal = sessionErrors.concurrentSessions,
    options: ConstructorParameters<typeof HttpError>[1] = {},
  ) {
    super(refusal, options);
    this.#refusal = refusal;
  }

  /** For another node, which sees by the header that it may ask a third one. */
  with(headers: Readonly<Record<string, string>>): PlaceRefused {
    return new PlaceRefused(this.#refusal, { headers: { ...this.headers, ...headers } });
  }
}
