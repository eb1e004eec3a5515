import { watchConnections } from './connections.ts';
import type { FromPage, PageSettings, RoomReader, ToPage } from './page-messages.ts';
import { type PersonaCamera, personaCamera } from './persona-camera.ts';
import { PersonaMicrophone } from './persona-microphone.ts';
import { reachableMedia } from './reachable-media.ts';
import { RoomAudio } from './room-audio.ts';
import { replaceDevices } from './replace-devices.ts';
import { RoomWatch } from './room-watch.ts';
import { SessionConnection } from './session-connection.ts';

type Call = (message: FromPage) => Promise<ToPage | null>;

/** The persona's devices and the room's sound, made when the page first needs one of them. */
interface Media {
  readonly camera: PersonaCamera;
  readonly microphone: PersonaMicrophone;
  readonly room: RoomAudio;
}

/** Runs in each document of a meeting's page, before the page's own scripts, and leaves nothing that they could find. */
export function install(settings: PageSettings, readRoom: RoomReader): void {
  const globals = globalThis as unknown as Record<string, Call | undefined>;
  const call = globals[settings.binding];
  delete globals[settings.binding];
  if (call === undefined || globalThis.MediaDevices === undefined) return;
  const tell = (message: FromPage): void => void call(message).catch(() => undefined);

  let made: Media | null = null;
  let session: SessionConnection | null = null;
  const media = (): Media => {
    made ??= {
      camera: personaCamera(settings.displayName),
      microphone: new PersonaMicrophone(),
      room: new RoomAudio(() => watch.soundChanged()),
    };
    return made;
  };

  const watch = new RoomWatch(
    { sources: () => made?.room.sources() ?? [], speaking: (key) => made?.room.speaking(key) ?? false },
    () => readRoom(made?.room.sources() ?? [], settings.ownName),
    {
      participants(participants) {
        tell({ type: 'room', participants });
        session?.send({ message_type: 'meeting_participants', participants });
      },
      speaking: (participant_id, speaking) =>
        session?.send({ message_type: 'meeting_speaking', participant_id, speaking }),
    },
  );

  const connect = watchConnections(reachableMedia(settings.allowedPrivateHosts), {
    sound: (key, connection, track, stream) => media().room.add(key, connection, track, stream),
    closed: (connection) => made?.room.removeConnection(connection),
    sends: () => tell({ type: 'media_sent' }),
  });

  let taken = false;
  replaceDevices({ microphone: () => media().microphone.track, camera: () => media().camera.track }, () => {
    if (taken) return;
    taken = true;
    tell({ type: 'media_taken' });
    watch.start();
    void listen();
  });

  const startSession = async ({ sessionId, iceServers }: Extract<ToPage, { type: 'session' }>): Promise<void> => {
    const { camera, microphone, room } = media();
    session = new SessionConnection(connect, iceServers, room.track, {
      send: tell,
      face: (track) => void camera.show(track),
      voice: (receiver) => microphone.say(receiver),
      open: () => session?.send({ message_type: 'meeting_participants', participants: watch.participants }),
    });
    await session.offer(sessionId);
  };

  /** Only the document that has taken the devices is told anything: the session is held there. */
  async function listen(): Promise<void> {
    for (;;) {
      const message = await call!({ type: 'next' });
      // Nothing more will come.
      if (message === null) return;
      try {
        if (message.type === 'session') await startSession(message);
        else await session?.receive(message.actionType, message.payload);
      } catch {
        tell({ type: 'session_lost' });
      }
    }
  }
}
