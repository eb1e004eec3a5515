import type { SessionEvent } from '../../../actors/events.ts';
import { decodeLog } from '../../../actors/recorder/session-log.ts';

export interface TimelineEvent {
  /** ms from the start of the session. */
  readonly at: number;
  /** Part of the session that it belongs to: the first word of the event's type. */
  readonly kind: string;
  readonly label: string;
}

/** A long session has many thousands of events; nobody reads a longer timeline. */
const MAX_EVENTS = 5000;

/**
 * Nine lines of ten are VAD windows and decisions. They are dropped before parsing, because an hour has 100,000 of
 * them.
 */
const UNSEEN_LINES = /^\[(?:[\d.]+,"w"|"!"),.*\n/gm;

/**
 * @param log the flight recorder's text, may be empty. @returns the events that a person wants to see. VAD windows,
 * word timings and decisions, dozens a second, are left out.
 */
export function timelineEvents(log: string): TimelineEvent[] {
  if (log === '') return [];
  return decodeLog(log.replaceAll(UNSEEN_LINES, ''))
    .entries.flatMap((entry) => {
      if (entry.kind !== 'event') return [];
      const label = labelOf(entry.event);
      return label === null ? [] : [{ at: entry.at, kind: entry.event.type.split('.')[0]!, label }];
    })
    .slice(-MAX_EVENTS);
}

/** The names of ordinary events for readers. */
const PLAIN_LABELS: Partial<Record<SessionEvent['type'], string>> = {
  'socket.opened': 'signaling connected',
  'socket.closed': 'signaling closed',
  'pipeline.ready': 'the face is ready',
  'channel.opened': 'data channel open',
  'media.started': 'media started',
  'peer.closed': 'connection closed',
  'stt.failed': 'recognition failed',
  'stt.languageUnavailable': 'recognition does not understand the language',
  'enhancement.unavailable': 'speech enhancement unavailable',
  'llm.done': 'the LLM has answered',
  'speech.firstAudio': 'first audio made',
  'speech.started': 'a sentence begins',
  'speech.finished': 'a sentence is over',
  'client.interrupt': 'stopped by the user',
};

function labelOf(event: SessionEvent): string | null {
  switch (event.type) {
    case 'vad.window':
    case 'speech.timing':
    case 'speech.resumed':
    case 'llm.text':
    case 'llm.reasoning':
    case 'provider.metered':
      return null;
    case 'stt.partial':
      return `partly heard: ${event.text}`;
    case 'stt.final':
      return event.text === '' ? 'nothing understood' : `heard: ${event.text}`;
    case 'endOfTurn.predicted':
      return `end of turn ${Math.round(event.probability * 100)} %`;
    case 'offer.received':
      return `offer (${event.kind})`;
    case 'peer.connected':
      return `connected (${event.kind})`;
    case 'peer.unresponsive':
      return 'the client does not answer';
    case 'peer.responsive':
      return 'the client answers again';
    case 'peer.quiet':
      return 'no packets from the client';
    case 'peer.path':
      return `audio and video over ${event.protocol.toUpperCase()}`;
    case 'peer.flowing':
      return `packets again after ${Math.round(event.quietMs)} ms`;
    case 'speech.cut':
      return `speech cut after ${Math.round(event.playedMs)} ms`;
    case 'llm.toolCall':
      return `tool call: ${event.call.name}`;
    case 'llm.failed':
    case 'tool.failed':
    case 'stt.failed':
    case 'speech.failed':
      return `${words(event.type)}: ${event.message}`;
    case 'client.text':
      return `typed: ${event.content}`;
    case 'client.cue':
      return `cue: ${event.tag}`;
    case 'service.stop':
      return `stopped: ${words(event.reason)}`;
    default:
      return PLAIN_LABELS[event.type] ?? words(event.type);
  }
}

/** 'speech.firstAudio' → 'speech first audio'. */
function words(type: string): string {
  return type
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_match, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/^(?:llm|stt|vad)\b/, (term) => term.toUpperCase());
}
