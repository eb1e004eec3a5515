import type { SpeechSynthesizer, SynthesisRequest } from '../../ports.ts';
import type { SpeechProtocol } from './speech-protocol.ts';
import { NoSocketError } from './speech-socket.ts';
import { StreamedVoice } from './streamed-voice.ts';

/** Time before a WebSocket is tried again where a proxy lets none through. */
const OVER_HTTP_MS = 5 * 60_000;

/**
 * A voice over WebSockets that stay open, and over HTTP where that is not possible: the model has no WebSocket, or the
 * address answers as a plain HTTP server.
 * @param options.hasSocket whether a request can use a WebSocket. @defaultValue every request can
 */
export function streamedOrHttp(options: {
  readonly protocol: SpeechProtocol;
  readonly http: SpeechSynthesizer;
  readonly hasSocket?: (request: Omit<SynthesisRequest, 'text'>) => boolean;
}): SpeechSynthesizer {
  const { protocol, http, hasSocket = () => true } = options;
  const streamed = new StreamedVoice(protocol);
  let overHttpUntil = 0;
  const isStreamed = (request: Omit<SynthesisRequest, 'text'>): boolean =>
    performance.now() >= overHttpUntil && hasSocket(request);
  return {
    name: http.name,
    family: http.family,
    warm: (request) => {
      if (isStreamed(request)) streamed.warm(request);
    },
    async *synthesize(request, signal) {
      if (isStreamed(request)) {
        try {
          return yield* streamed.synthesize(request, signal);
        } catch (error) {
          if (!(error instanceof NoSocketError)) throw error;
          overHttpUntil = performance.now() + OVER_HTTP_MS;
        }
      }
      yield* http.synthesize(request, signal);
    },
    async close() {
      streamed.close();
      await http.close();
    },
  };
}

/** The WebSocket address. @param base http or https. */
export function socketUrl(path: string, base: string): URL {
  const url = new URL(path, base);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  return url;
}
