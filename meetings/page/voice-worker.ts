import { type Packet, PersonaVoice } from './persona-voice.ts';

/** Of a receiver with an `RTCRtpScriptTransform`. The types of workers have it, and those of pages do not. */
interface TransformEvent extends Event {
  readonly transformer: { readonly readable: ReadableStream<Packet> };
}

/**
 * The persona's voice on its way through the page, in a worker: the page's own thread is late whenever the page draws
 * or counts something. It is sent the track first.
 */
let voice: PersonaVoice;

addEventListener('message', ({ data }) => (voice = new PersonaVoice(data as WritableStream<AudioData>)));
addEventListener('rtctransform', (event) => void voice.say((event as TransformEvent).transformer.readable));
