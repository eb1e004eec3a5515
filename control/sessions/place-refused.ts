import { HttpError } from '../errors.ts';
import { sessionErrors } from './session-errors.ts';

/** This engine takes no further session, whatever was known of it. Another one may. */
export class PlaceRefused extends HttpError {
  constructor(options: ConstructorParameters<typeof HttpError>[1] = {}) {
    super(sessionErrors.concurrentSessions, options);
  }
}
