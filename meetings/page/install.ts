import { type PlainConnection, watchConnections } from './connections.ts';
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
  const page = new MeetingPage(call, settings, readRoom);
  const connect = watchConnections(reachableMedia(settings.allowedPrivateHosts), {
    sound: (key, connection, track, stream) => page.media().room.add(key, connection, track, stream),
    closed: (connection) => page.made?.room.removeConnection(connection),
    sends: () => page.tell({ type: 'media_sent' }),
  });
  const { media } = page;
  replaceDevices({ microphone: () => media().microphone.track, camera: () => media().camera.track }, () =>
    page.taken(connect),
  );
}

/** What the script knows of its document: the devices once they are needed, and the session once there is one. */
class MeetingPage {
  readonly #call: Call;
  readonly #settings: PageSettings;
  readonly #watch: RoomWatch;
  #made: Media | null = null;
  #devices: 'not taken' | 'taken' = 'not taken';
  #session: SessionConnection | null = null;

  constructor(call: Call, settings: PageSettings, readRoom: RoomReader) {
    this.#call = call;
    this.#settings = settings;
    this.#watch = new RoomWatch(
      { sources: () => this.#made?.room.sources() ?? [], speaking: (key) => this.#made?.room.speaking(key) ?? false },
      () => readRoom(this.#made?.room.sources() ?? [], settings.ownName),
      {
        participants: (participants) => {
          this.tell({ type: 'room', participants });
          this.#session?.send({ message_type: 'meeting_participants', participants });
        },
        speaking: (participant_id, speaking) =>
          this.#session?.send({ message_type: 'meeting_speaking', participant_id, speaking }),
      },
    );
  }

  get made(): Media | null {
    return this.#made;
  }

  readonly media = (): Media => {
    this.#made ??= {
      camera: personaCamera(this.#settings.displayName),
      microphone: new PersonaMicrophone(),
      room: new RoomAudio(() => this.#watch.soundChanged()),
    };
    return this.#made;
  };

  readonly tell = (message: FromPage): void => void this.#call(message).catch(() => undefined);

  /** The page has taken the devices. */
  taken(connect: PlainConnection): void {
    if (this.#devices === 'taken') return;
    this.#devices = 'taken';
    this.tell({ type: 'media_taken' });
    this.#watch.start();
    void this.#listen(connect);
  }

  /** Only the document that has taken the devices is told anything: the session is held there. */
  async #listen(connect: PlainConnection): Promise<void> {
    for (;;) {
      const message = await this.#call({ type: 'next' });
      // Nothing more will come.
      if (message === null) return;
      try {
        if (message.type === 'session') await this.#startSession(message, connect);
        else await this.#session?.receive(message.actionType, message.payload);
      } catch {
        this.tell({ type: 'session_lost' });
      }
    }
  }

  async #startSession(
    { sessionId, iceServers }: Extract<ToPage, { type: 'session' }>,
    connect: PlainConnection,
  ): Promise<void> {
    const { camera, microphone, room } = this.media();
    const session = new SessionConnection(connect, iceServers, room.track, {
      send: this.tell,
      face: (track) => void camera.show(track),
      voice: (receiver) => microphone.say(receiver),
      open: () => session.send({ message_type: 'meeting_participants', participants: this.#watch.participants }),
    });
    this.#session = session;
    await session.offer(sessionId);
  }
}
