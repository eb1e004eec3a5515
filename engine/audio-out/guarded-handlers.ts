import type { AudioOutHandlers } from '../ports.ts';

/** Where the voice reports errors that it cannot report to its session. Never content. */
export interface AudioOutLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The same handlers, but an exception in one is logged and does not stop the clock that all sessions share. */
export function guardedHandlers(handlers: AudioOutHandlers, sessionId: string, log: AudioOutLog): AudioOutHandlers {
  const guard =
    <A extends unknown[]>(name: string, handler: (...args: A) => void) =>
    (...args: A): void => {
      try {
        handler.apply(handlers, args);
      } catch (error) {
        log.warn({ sessionId, handler: name, err: error }, 'A voice handler failed.');
      }
    };
  return {
    frame: guard('frame', handlers.frame),
    ...(handlers.audio && { audio: guard('audio', handlers.audio) }),
    report: guard('report', handlers.report),
    mouth: guard('mouth', handlers.mouth),
    mouthStopped: guard('mouthStopped', handlers.mouthStopped),
    ...(handlers.speechSound && { speechSound: guard('speechSound', handlers.speechSound) }),
  };
}
