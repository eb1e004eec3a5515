import { isServer, type MeetingProvider } from './provider.ts';

/** What the demo page keeps in its globals, as far as it is read. */
interface DemoPage {
  readonly feeds?: readonly ({
    readonly rfid: number;
    readonly rfdisplay: string;
    readonly webrtcStuff: { readonly pc: object | null };
  } | null)[];
  readonly myid?: number | null;
}

/**
 * The VideoRoom of Janus with its own demo page (`videoroomtest.html`), where everybody who comes is let in. The room
 * is `?room=`; without it, the one of the demo.
 */
export const janus: MeetingProvider = {
  id: 'janus',
  name: 'Janus VideoRoom',
  tried: 'yes',
  note: 'Tried with Janus 1.1.2 and its demo page, as Debian packages them, in every test run.',
  conditions: [
    'The operator names the server in PARLEY_MEETING_SERVERS.',
    'The page is the demo of Janus; it takes only letters and digits as a name.',
  ],
  recognize: (url, servers) =>
    isServer(url, 'janus', servers) && url.pathname.endsWith('/videoroomtest.html') ? url.href : null,
  // The page refuses everything else. That the persona is an AI can still be read.
  nameFor: (displayName) => displayName.replace(/[^a-zA-Z0-9]/g, ''),
  signs: [
    { shows: 'ended', find: { text: /^The room has been destroyed$/ }, evenInCall: true },
    { shows: 'invalid', find: { text: /does not exist\.\.\./ } },
    { shows: 'denied', find: { text: /Error attaching plugin|Maximum number of publishers|Unauthorized/ } },
    // The button comes back when somebody else has ended the sending.
    { shows: 'removed', find: { css: '#publish' }, evenInCall: true },
    { shows: 'in_call', find: { css: '#mute' } },
  ],
  steps: [
    { do: 'press', find: { role: 'button', name: /^Start$/ } },
    { do: 'fill in the name', find: { placeholder: /display name/i } },
    { do: 'press', find: { role: 'button', name: /^Join the room$/ } },
  ],
  turnOn: [],
  leave: [{ role: 'button', name: /^Stop$/ }],
  readRoom(sources) {
    const page = globalThis as unknown as DemoPage;
    if (page.myid === null || page.myid === undefined) return null;
    return {
      participants: (page.feeds ?? [])
        .filter((feed) => feed !== null && feed !== undefined)
        .map(({ rfid, rfdisplay, webrtcStuff }) => ({
          id: String(rfid),
          name: rfdisplay,
          sources: sources.filter(({ connection }) => connection === webrtcStuff.pc).map(({ key }) => key),
          speaking: null,
        })),
    };
  },
};
