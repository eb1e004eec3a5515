import type { SessionConfig } from '../../../actors/session-config.ts';
import { FlightRecorder } from '../../../actors/recorder/flight-recorder.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { SessionSink } from '../../ports.ts';
import { VERSION } from '../../../runtime/version.ts';
import { createLogBatches } from './log-batches.ts';

export interface OpenLog {
  /** Null: this session keeps no data. */
  readonly recorder: FlightRecorder | null;
  flush(): void;
}

/**
 * The stored log of one session.
 * @param session `startedAt`: wall clock, whole ms, as in the header of the log. Otherwise a replay would put other
 * times into its messages. @param known lines of it that are stored already.
 */
export function openLog(
  session: {
    readonly config: SessionConfig;
    readonly idSeed: string;
    readonly startedAt: number;
    readonly endOfTurnModelAvailable: boolean;
  },
  { sink, log }: { readonly sink: SessionSink; readonly log: Logger },
  known = 0,
): OpenLog {
  const { config, idSeed, startedAt, endOfTurnModelAvailable } = session;
  const { sessionId } = config;
  const lines = createLogBatches((batch) => sink.log(sessionId, batch));
  if (config.zeroDataRetention) return { recorder: null, flush: () => {} };
  const recorder = new FlightRecorder(
    { software: VERSION, startedAt: new Date(startedAt).toISOString(), idSeed, endOfTurnModelAvailable, config },
    (line) => lines.add(line),
    () => log.warn({ sessionId }, 'the event log of a session is full; the session goes on without'),
    known,
  );
  return { recorder, flush: () => lines.flush() };
}
