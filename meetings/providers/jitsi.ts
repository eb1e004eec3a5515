import { isServer, type MeetingProvider } from './provider.ts';

/** What the page keeps in its globals: a JitsiConference of lib-jitsi-meet, whose interface is documented. */
interface JitsiPage {
  readonly APP?: {
    readonly conference?: {
      readonly _room?: {
        isJoined(): boolean;
        getParticipants(): readonly {
          getId(): string;
          getDisplayName(): string | undefined;
          getTracks(): readonly { getType(): string; getTrack(): { readonly id: string } | null }[];
        }[];
      };
    };
  };
}

const PUBLIC_SERVER = 'meet.jit.si';

/** Jitsi Meet: the public server, and those that the operator names. Texts are those of its English translation. */
export const jitsi: MeetingProvider = {
  id: 'jitsi',
  name: 'Jitsi Meet',
  tried: 'never',
  note: 'Written from the public documentation and translations of Jitsi Meet; never tried with a server.',
  conditions: [
    'A server of your own is named in PARLEY_MEETING_SERVERS.',
    'On meet.jit.si a moderator must have opened the room.',
    'The room has no password.',
  ],
  recognize(url, servers) {
    const [room, ...more] = url.pathname.split('/').filter((part) => part !== '');
    if (room === undefined || more.length > 1) return null;
    if (isServer(url, 'jitsi', servers)) return url.href;
    if (url.hostname !== PUBLIC_SERVER || url.port !== '') return null;
    return `https://${PUBLIC_SERVER}${url.pathname}`;
  },
  signs: [
    { shows: 'removed', find: { text: /kicked you out of the meeting|You have been removed from the meeting/i } },
    { shows: 'ended', find: { text: /The meeting has been terminated|The conference has been destroyed/i } },
    { shows: 'denied', find: { text: /join request was rejected|you're not allowed to join this call/i } },
    { shows: 'password', find: { text: /Password required|Enter password to join meeting/ } },
    { shows: 'waiting_room', find: { text: /Asking to join meeting|as soon as someone accepts your request/ } },
    { shows: 'not_started', find: { text: /Waiting for the host|Waiting for a moderator|has not yet started/ } },
    { shows: 'in_call', find: { role: 'button', name: /^Leave( the (call|meeting))?$/ } },
  ],
  steps: [
    { do: 'fill in the name', find: { placeholder: /your name/i } },
    { do: 'press', find: { role: 'button', name: /^(Join meeting|Ask to join)$/i } },
  ],
  turnOn: [
    { device: 'microphone', find: { role: 'button', name: /^Unmute( microphone)?$/ } },
    { device: 'camera', find: { role: 'button', name: /^Start camera$/ } },
  ],
  leave: [{ role: 'button', name: /^Leave( the (call|meeting))?$/ }],
  readRoom(sources) {
    const room = (globalThis as unknown as JitsiPage).APP?.conference?._room;
    if (room === undefined || !room.isJoined()) return null;
    return {
      participants: room.getParticipants().map((participant) => {
        const tracks = participant.getTracks().filter((track) => track.getType() === 'audio');
        const ids = tracks.map((track) => track.getTrack()?.id);
        return {
          id: participant.getId(),
          name: participant.getDisplayName() ?? 'Guest',
          sources: sources.filter(({ trackId }) => ids.includes(trackId)).map(({ key }) => key),
          speaking: null,
        };
      }),
    };
  },
};
