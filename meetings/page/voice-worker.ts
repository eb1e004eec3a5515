import { type Packet, PersonaVoice } from './persona-voice.ts';

/**
 * The persona's voice on its way through the page, in a worker: the page's own thread is late whenever the page draws
 * or counts something.
 */
declare const self: {
  onmessage: (event: MessageEvent<WritableStream<AudioData>>) => void;
  onrtctransform: (event: { readonly transformer: { readonly readable: ReadableStream<Packet> } }) => void;
};

let voice: PersonaVoice;

self.onmessage = ({ data: track }) => (voice = new PersonaVoice(track));
self.onrtctransform = ({ transformer }) => void voice.say(transformer.readable);
