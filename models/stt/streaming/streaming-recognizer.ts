import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { SpeechRecognizer } from '../../ports.ts';
import type { StreamingProtocol } from './protocol.ts';
import { StreamingStream } from './streaming-stream.ts';

/**
 * A streaming recognizer, with one WebSocket for each speaker. The socket is opened with the stream and stays open
 * between utterances. @param timers for tests.
 */
export function createStreamingRecognizer(
  protocol: StreamingProtocol,
  timers: Timers = systemTimers,
): SpeechRecognizer {
  const streams = new Set<StreamingStream>();
  return {
    name: protocol.name,
    languages: protocol.languages,
    open(options) {
      const stream = new StreamingStream(protocol, options, timers, () => streams.delete(stream));
      streams.add(stream);
      return stream;
    },
    async close() {
      for (const stream of streams) stream.close();
    },
  };
}
