import type { LlmEvent } from '../../ports.ts';
import type { WireToolNames } from '../wire-tool-names.ts';
import type { AnswerReader } from './answer-reader.ts';

/** The same reader, with the names of tools as the session knows them. */
export function namesFromWire(reader: AnswerReader, names: WireToolNames): AnswerReader {
  const named = (event: LlmEvent): LlmEvent =>
    event.type === 'tool-call' ? { ...event, call: { ...event.call, name: names.fromWire(event.call.name) } } : event;
  return {
    take: (frame) => reader.take(frame)?.map(named) ?? null,
    end: (end) => reader.end(end).map(named),
    get foreign() {
      return reader.foreign ?? null;
    },
    get isComplete() {
      return reader.isComplete;
    },
    get unread() {
      return reader.unread;
    },
  };
}
