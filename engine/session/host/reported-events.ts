import type { SessionEvent } from '../../../actors/events.ts';
import type { AudioInHandlers, AudioOutHandlers, MediaHandlers } from '../../ports.ts';

type Dispatch = (event: SessionEvent) => void;

/** What the connection reports, as events. @param startedAt engine time; events have the session's time. */
export function connectionEvents(
  dispatch: Dispatch,
  startedAt: number,
): Pick<MediaHandlers, 'unresponsive' | 'responsive' | 'quiet' | 'flowing' | 'path' | 'closed' | 'channelOpened'> {
  const upTo = (arrivedUpTo: number | null) => arrivedUpTo !== null && { arrivedUpTo: arrivedUpTo - startedAt };
  return {
    unresponsive: (arrivedUpTo) => dispatch({ type: 'peer.unresponsive', ...upTo(arrivedUpTo) }),
    responsive: () => dispatch({ type: 'peer.responsive' }),
    quiet: (arrivedUpTo) => dispatch({ type: 'peer.quiet', ...upTo(arrivedUpTo) }),
    flowing: (quietMs) => dispatch({ type: 'peer.flowing', quietMs }),
    path: (protocol) => dispatch({ type: 'peer.path', protocol }),
    closed: () => dispatch({ type: 'peer.closed' }),
    channelOpened: () => dispatch({ type: 'channel.opened' }),
  };
}

/** What audio-in reports, as events. @param startedAt engine time; events have the session's time. */
export function audioInEvents(dispatch: Dispatch, startedAt: number): AudioInHandlers {
  return {
    window: ({ probability, levelDb, endsAt, loudMs }) =>
      dispatch({
        type: 'vad.window',
        probability,
        levelDb,
        endsAt: endsAt - startedAt,
        ...(loudMs !== undefined && { loudMs }),
      }),
    partial: (text) => dispatch({ type: 'stt.partial', text }),
    final: (text, language, confidence) =>
      dispatch({ type: 'stt.final', text, language, ...(confidence !== undefined && { confidence }) }),
    used: (use) => dispatch({ type: 'provider.used', service: 'stt', ...use }),
    endOfTurn: (probability) => dispatch({ type: 'endOfTurn.predicted', probability }),
    failed: (message) => dispatch({ type: 'stt.failed', message }),
    enhancementUnavailable: () => dispatch({ type: 'enhancement.unavailable' }),
    languageUnavailable: (language) => dispatch({ type: 'stt.languageUnavailable', language }),
  };
}

/** What audio-out reports of the persona's speech, as events. */
export function speechEvents(
  dispatch: Dispatch,
): Pick<AudioOutHandlers, 'firstAudio' | 'timing' | 'started' | 'resumed' | 'finished' | 'cut' | 'failed' | 'used'> {
  return {
    firstAudio: (segmentId) => dispatch({ type: 'speech.firstAudio', segmentId }),
    timing: (segmentId, words, durationMs, complete) =>
      dispatch({ type: 'speech.timing', segmentId, words, durationMs, complete }),
    started: (segmentId) => dispatch({ type: 'speech.started', segmentId }),
    resumed: (segmentId, positionMs) => dispatch({ type: 'speech.resumed', segmentId, positionMs }),
    finished: (segmentId) => dispatch({ type: 'speech.finished', segmentId }),
    cut: (segmentId, playedMs) => dispatch({ type: 'speech.cut', segmentId, playedMs }),
    failed: (segmentId, message) => dispatch({ type: 'speech.failed', segmentId, message }),
    used: (use) => dispatch({ type: 'provider.used', service: 'tts', ...use }),
  };
}
