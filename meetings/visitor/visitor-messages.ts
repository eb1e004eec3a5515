import type { MeetingEnd, MeetingSession } from '../../control/ports.ts';
import type { Chromium } from '../browser/find-chromium.ts';

/** What the service and the process of one visit tell each other. */

export interface VisitorSettings {
  readonly provider: string;
  readonly meetingUrl: string;
  readonly displayName: string;
  readonly chromium: Chromium;
  /** Everything that the browser writes. */
  readonly folder: string;
  /** As `PARLEY_ALLOWED_PRIVATE_HOSTS`. */
  readonly allowedPrivateHosts: readonly string[];
  /** MB that the process and its browser may hold together. */
  readonly memoryMb: number;
  /** ms in which the page must begin to load. */
  readonly loadWithinMs: number;
}

export type ToVisitor =
  | { readonly type: 'go'; readonly settings: VisitorSettings }
  /** The answer to `in_call`. Null: leave. */
  | { readonly type: 'session'; readonly session: MeetingSession | null }
  | { readonly type: 'picture'; readonly id: number }
  | { readonly type: 'leave' };

/** Where the visitor is, or what became of its devices. */
export type Place = 'waiting_room' | 'not_started' | 'in_call' | 'media_granted' | 'media_denied' | 'media_active';

export type VisitEnd = MeetingEnd;

export type FromVisitor =
  | { readonly type: 'at'; readonly place: Place }
  /** How many others are in the meeting. Who they are, the page tells the session itself. */
  | { readonly type: 'others'; readonly count: number }
  | { readonly type: 'picture'; readonly id: number; readonly jpeg: Uint8Array | null }
  /** For the operator. It holds nothing of the meeting. */
  | { readonly type: 'trouble'; readonly message: string }
  /** It decided to leave, and waits a moment for the end of the session. */
  | { readonly type: 'leaving'; readonly end: VisitEnd }
  /** It has left; the process ends. Null: it was asked to leave. */
  | { readonly type: 'over'; readonly end: VisitEnd | null };
