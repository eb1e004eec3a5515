import { pcmBytes, type Outgoing, type ProtocolConnection, type ProtocolHandlers } from './protocol.ts';
import { UtteranceSpans } from './utterance-spans.ts';

/** A connection to a service that gives the times of words. So it is known to which utterance a word belongs. */
export abstract class TimedConnection implements ProtocolConnection {
  /** ISO 639-1 code, or null to detect it. */
  protected readonly language: string | null;
  protected readonly handlers: ProtocolHandlers;
  protected readonly spans = new UtteranceSpans();

  constructor(language: string | null, handlers: ProtocolHandlers) {
    this.language = language;
    this.handlers = handlers;
  }

  opened(): readonly Outgoing[] {
    return [];
  }

  audio(pcm: Int16Array): readonly Outgoing[] {
    this.spans.sent(pcm.length);
    return [pcmBytes(pcm)];
  }

  keepAlive(): readonly Outgoing[] {
    return [];
  }

  abstract finish(): readonly Outgoing[];
  abstract closing(): readonly Outgoing[];
  abstract receive(message: unknown): void;
}
