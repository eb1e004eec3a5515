import type { MeetingProviderInfo } from '../../control/ports.ts';
import type { RoomReader } from '../page/page-messages.ts';

/** What a meeting's page shows. */
export type Screen =
  /** The address leads to no meeting. */
  | 'invalid'
  /** It exists, and nobody has opened it yet. */
  | 'not_started'
  | 'password'
  /** Somebody must let the persona in. */
  | 'waiting_room'
  | 'denied'
  | 'in_call'
  | 'removed'
  | 'ended';

/** Something in a page. Roles, labels and texts first: they change less often than the page's classes. */
export type Target =
  | { readonly role: 'button' | 'textbox' | 'link' | 'heading' | 'dialog' | 'alert'; readonly name: RegExp }
  | { readonly label: RegExp }
  | { readonly placeholder: RegExp }
  | { readonly text: RegExp }
  | { readonly css: string };

/** If this is visible, the page shows that. */
export interface Sign {
  readonly shows: Screen;
  readonly find: Target;
  /**
   * Whether it counts while the page shows a call as well. Other signs do not: a participant could write their words
   * into the chat. @defaultValue false
   */
  readonly evenInCall?: boolean;
}

/** What a guest does on the way in, whenever this is visible. */
export interface Step {
  readonly do: 'press' | 'fill in the name';
  readonly find: Target;
}

/** Is there while the device is off. */
export interface OffButton {
  readonly device: 'microphone' | 'camera';
  readonly find: Target;
}

/** A meeting server that the operator names. */
export interface MeetingServer {
  readonly provider: string;
  /** `https://meet.example.org` */
  readonly origin: string;
}

/** How one goes into the meetings of one provider. All that depends on its pages stands in one file. */
export interface MeetingProvider extends MeetingProviderInfo {
  /**
   * @param url with http or https, without user, from a person. @param servers of this provider, from the operator.
   * @returns the address to open, or null when it is no meeting of this provider.
   */
  recognize(url: URL, servers: readonly MeetingServer[]): string | null;
  /** @param text what was pasted, when there is no link in it. @returns the address of the meeting whose code it is. */
  readonly recognizeCode?: (text: string) => string | null;
  /** Whether a host is the provider's, whatever its pages are. */
  readonly isHost?: (hostname: string) => boolean;
  /** A text of it that has no link: an invitation that was copied in part. */
  readonly hintsAt?: RegExp;
  /** A sentence for who pasted that, or another one of its links. */
  readonly wanted?: string;
  /** @returns where the browser begins, of an address that `recognize` gave. @defaultValue the same */
  readonly openAt?: (url: string) => string;
  /** @returns what goes into the name's field. @defaultValue the name as it is */
  readonly nameFor?: (displayName: string) => string;
  /** The first that is visible tells what the page shows. */
  readonly signs: readonly Sign[];
  /** In this order, until a sign of the way's end is there. */
  readonly steps: readonly Step[];
  /** Each is pressed once, when the persona comes; what others turn off stays off, and is told. */
  readonly turnOn: readonly OffButton[];
  /** How one leaves politely, before the page is closed. */
  readonly leave: readonly Target[];
  /** Whether the meeting is in a frame of the page. @defaultValue false */
  readonly inFrames?: boolean;
  readonly readRoom: RoomReader;
}

/** @returns whether this is one of the operator's servers of the provider. */
export function isServer(url: URL, provider: string, servers: readonly MeetingServer[]): boolean {
  return servers.some((server) => server.provider === provider && server.origin === url.origin);
}

export function isHostOrBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** What readers of rooms use of a page's document. */
export interface PageElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
