import { randomBytes } from 'node:crypto';
import type { SessionCommand } from '../../../actors/commands.ts';
import type { RecordedEvent, SessionEvent } from '../../../actors/events.ts';
import type { EndReason } from '../../../actors/report.ts';
import type { RoomAddress, SessionConfig, SessionResources } from '../../../actors/session-config.ts';
import { createSession, openingRequest, type Session } from '../../../actors/index.ts';
import { seededIds } from '../../../actors/kernel/seeded-ids.ts';
import type { Logger } from '../../../runtime/log.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { createSessionClock, type SessionClock } from './session-clock.ts';
import { AvatarUnavailableError } from '../../ports.ts';
import type { Face, AudioIn, SessionSink, Transport, AudioOut } from '../../ports.ts';
import type { SessionJournals } from '../journal/journal.ts';
import type { Recording } from '../../recording/index.ts';
import { performCommand, type CommandTable } from './command-table.ts';
import { createFloodControl, type FloodControl } from './flood-control.ts';
import { writeHead, type JournalHead } from '../journal/journal-head.ts';
import { writeJournal, type JournalWriter } from '../journal/journal-writer.ts';
import { resumeSession } from '../restore/resume-session.ts';
import { lostWords, type LostWords } from '../restore/lost-words.ts';
import type { ReplayedSession } from '../restore/replay-journal.ts';
import { migration, type Migration } from '../migrate/migration.ts';
import { storedFirst } from '../journal/stored-first.ts';
import { llmReports } from './llm-reports.ts';
import { createLlmRunner, type LlmRunner } from './llm-runner.ts';
import { openLog, type OpenLog } from './open-log.ts';
import { createSessionSignaling, type SessionSignaling } from './session-signaling.ts';
import { openMedia, type SessionMedia } from './session-media.ts';
import { openSpeechLink, type SpeechLink } from './speech-link.ts';
import { sessionCommands } from './session-commands.ts';
import { NO_PRIVATE_HOSTS, type Fetch, type PrivateHosts } from '../../net/index.ts';
import type { RoomOptions, RoomVisit, visitRoom } from '../../rooms/index.ts';
import { openRealtimeEndpoint, type RealtimeEndpoint } from '../../realtime/index.ts';
import type { AttachRealtimeClient } from '../../signaling/index.ts';
import type { McpThread } from '../../tools/mcp/mcp-thread.ts';
import { createToolRunner, type ToolRunner } from '../../tools/tool-runner.ts';

export interface SessionHostOptions {
  readonly config: SessionConfig;
  readonly resources: SessionResources;
  readonly transport: Transport;
  readonly audioIn: AudioIn;
  readonly audioOut: AudioOut;
  readonly face: Face;
  readonly recording: Recording;
  /** For webhooks and MCP servers. It reaches only public hosts. */
  readonly fetch: Fetch;
  /** Where MCP servers are asked. @defaultValue in the thread of the session */
  readonly mcp?: Pick<McpThread, 'calls'> | undefined;
  /** Hosts that rooms may be on although they are not public. @defaultValue none */
  readonly privateHosts?: PrivateHosts;
  /** Loaded for sessions that go into a room. */
  readonly visitRoom?: typeof visitRoom | undefined;
  readonly endOfTurnModelAvailable: boolean;
  /** Whether webhooks are told the trace of their turn. @defaultValue false */
  readonly traces?: boolean;
  readonly sink: SessionSink;
  readonly journals?: SessionJournals | null;
  readonly log: Logger;
  /** A session that goes on here, and its log. @defaultValue it begins here */
  readonly past?: { readonly replayed: ReplayedSession; readonly log: OpenLog };
  /** Called when the session is over and its slot is free. A client that comes later is told why. */
  readonly ended: (reason: EndReason, text: string | null) => void;
}

export interface SessionHost extends Migration {
  readonly sessionId: string;
  readonly organizationId: string;
  /** Where the persona is; null: clients come here. */
  readonly room: RoomAddress | null;
  readonly startedAt: number;
  /** Only web pages of this origin may connect. Null: any client may. */
  readonly onlyOrigin: string | null;
  /** The session's side of the signaling socket. */
  readonly signaling: SessionSignaling;
  /** Attaches its Realtime client. Null: clients use WebRTC. */
  readonly attachRealtime: AttachRealtimeClient | null;
  dispatch(event: SessionEvent): void;
  /** Speaks text without the LLM. @returns false when the session's limit for waiting text is reached. */
  talk(content: string): boolean;
}

/** Starts a session, or goes on with one of another process. @throws VoiceUnavailableError */
export function startSessionHost(options: SessionHostOptions): SessionHost {
  const host = new LiveSession(options);
  host.start();
  return host;
}

/**
 * One live session. It connects the actors to the engine: each command of an actor becomes a call to a part of the
 * engine, and each report of a part becomes an event for the actors.
 */
class LiveSession implements SessionHost {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly room: RoomAddress | null;
  readonly onlyOrigin: string | null;
  readonly startedAt: number;
  readonly signaling: SessionSignaling;
  readonly attachRealtime: AttachRealtimeClient | null;

  readonly #options: SessionHostOptions;
  /** Null: the session begins here. */
  readonly #replayed: ReplayedSession | null;
  readonly #clock: SessionClock;
  readonly #head: JournalHead;
  readonly #log: OpenLog;
  readonly #lost: LostWords;
  /** Null: recognizer, LLM and voice are separate. */
  readonly #speech: SpeechLink | null;
  readonly #llm: LlmRunner;
  readonly #tools: ToolRunner;
  readonly #flood: FloodControl;
  readonly #visit: RoomVisit | null;
  readonly #realtime: RealtimeEndpoint | null;
  readonly #media: SessionMedia;
  /** Null: nobody can go on with this session elsewhere. */
  readonly #journal: JournalWriter | null;
  readonly #commands: CommandTable;
  readonly #migration: Migration;
  readonly #closing = new AbortController();
  /** Unset while the session starts: the engine may answer its first commands before `createSession` returns. */
  #actors: Session | undefined;

  constructor(options: SessionHostOptions) {
    const { config, resources, sink, log } = options;
    const { sessionId } = config;
    const replayed = options.past?.replayed ?? null;
    this.sessionId = sessionId;
    this.organizationId = config.organizationId;
    this.room = resources.room ?? null;
    this.onlyOrigin = resources.onlyOrigin ?? null;
    this.startedAt = replayed?.startedAt ?? engineNow();

    this.#options = options;
    this.#replayed = replayed;
    this.#clock = replayed?.clock ?? createSessionClock(this.startedAt);
    this.#head = replayed?.head ?? newHead(options, this.startedAt);
    this.#log = options.past?.log ?? openLog(this.#head, options);
    const { dispatch } = this;
    const warn = this.#warn;
    this.#lost = lostWords(replayed, dispatch);
    const reports = llmReports({ sessionId, log, warn });
    this.#speech = openSpeechLink(resources.llm, { dispatch, lost: reports.failed, goesOn: replayed !== null });
    this.#llm = createLlmRunner({ sessionId, llm: this.#speech?.llm ?? resources.llm, dispatch, ...reports });
    this.#tools = this.#openTools();
    this.#flood = createFloodControl({ sessionId, now: engineNow, log, warn: (text) => warn('client_flood', text) });
    this.#visit = openRoom(options, { dispatch, warn });
    this.#realtime = openRealtimeEndpoint(options.config, options.resources, {
      dispatch,
      enter: () => this.#enterRoom(),
    });
    this.attachRealtime = this.#realtime && ((socket, names) => this.#realtime!.attach(socket, names));
    this.#media = this.#openMedia();
    this.signaling = createSessionSignaling({
      sessionId,
      media: this.#media,
      dispatch,
      flood: this.#flood,
      stage: replayed?.outstanding.seen.ready === true ? 'ready' : 'starting',
      log,
    });
    this.#journal = this.#openJournal();
    this.#commands = this.#commandTable();
    const [journal, signaling, media, stop] = [this.#journal, this.signaling, this.#media, () => this.#stop()];
    this.#migration = migration({ sessionId, journal, signaling, media, sink, stop });
  }

  start(): void {
    if (this.#replayed === null) this.#begin();
    else this.#resumeSession(this.#replayed);
    if (this.#visit !== null) this.#enterRoom();
    this.#prepare();
  }

  readonly dispatch = (event: SessionEvent): void => {
    if (event.type === 'stt.partial') this.#lost.heardAgain();
    this.#speech?.hears(event);
    if (!this.#closing.signal.aborted) this.#actors?.dispatch(event);
  };

  talk(content: string): boolean {
    const admitted = this.#flood.admits('talk', Buffer.byteLength(content));
    if (admitted) this.dispatch({ type: 'client.talk', content });
    return admitted;
  }

  get handOver(): Migration['handOver'] {
    return this.#migration.handOver;
  }

  leave(): ReturnType<Migration['leave']> {
    return this.#migration.leave();
  }

  takenOver(): void {
    this.#migration.takenOver();
  }

  /** Tells the client, and adds the warning to the session's report. */
  readonly #warn = (code: string, text: string): void => {
    this.signaling.warn(text);
    this.#options.sink.entry(this.sessionId, { kind: 'warning', at: this.#clock.now(), code });
  };

  #openTools(): ToolRunner {
    const { config, resources, fetch, mcp, log, traces } = this.#options;
    const { knowledge } = resources;
    const [sessionId, clock] = [this.sessionId, this.#clock];
    return createToolRunner({ sessionId, config, knowledge, fetch, mcp: mcp?.calls(), clock, log, traces });
  }

  #openMedia(): SessionMedia {
    const { config, recording, sink } = this.#options;
    const replayed = this.#replayed;
    return openMedia({
      ...this.#options,
      speech: this.#speech,
      room: this.#visit,
      realtime: this.#realtime,
      // A file has one beginning: what comes after a change of the process is not recorded.
      recording: config.recordingEnabled && !config.zeroDataRetention && replayed === null ? recording : null,
      recorded: (file) => sink.recording(this.sessionId, file),
      warn: this.#warn,
      startedAt: this.startedAt,
      dispatch: this.dispatch,
      flood: this.#flood,
      past: replayed && {
        connection: replayed.connection,
        media: replayed.outstanding.seen.media ? 'had begun' : 'never began',
      },
    });
  }

  #openJournal(): JournalWriter | null {
    const { config, journals = null } = this.#options;
    // A meeting's browser is gone with its process, and so is what an agent has sent to a room, and a Realtime client.
    const staysHere = config.meeting !== null || this.#visit !== null || this.#realtime !== null;
    if (journals === null || staysHere) return null;
    return writeJournal({
      journal: journals.open(this.sessionId),
      head: this.#replayed === null ? writeHead(this.#head) : null,
      now: () => this.#clock.now(),
      connection: () => this.#media.connection.state(),
      timers: systemTimers,
    });
  }

  #commandTable(): CommandTable {
    return sessionCommands({
      sessionId: this.sessionId,
      media: this.#media,
      signaling: this.signaling,
      llm: this.#llm,
      runTool: (command) => void this.#runTool(command),
      messageSent: () => this.#journal?.messageSent(),
      cutLostSpeech: this.#lost.cutSpeech,
      failLostUtterance: this.#lost.failUtterance,
      sink: this.#options.sink,
      warn: this.#warn,
      finish: (code, text) => this.#finish(code, text),
    });
  }

  #begin(): void {
    const { config, resources, sink, log, endOfTurnModelAvailable } = this.#options;
    const { sessionId, organizationId, startedAt } = this;
    const { idSeed } = this.#head;
    this.#actors = createSession({
      config,
      clock: this.#clock,
      ids: seededIds(idSeed),
      record: (recorded) => this.#record(recorded),
      startedAtWall: this.#head.startedAt,
      endOfTurnModelAvailable,
      perform: (command) => this.#perform(command),
      log: (message: string, details?: Readonly<Record<string, unknown>>) =>
        log.info({ sessionId, ...details }, message),
    });
    sink.started({ sessionId, organizationId, startedAt });
    const opening = openingRequest(config, seededIds(idSeed));
    if (opening !== null) this.#llm.warm(opening);
    for (const { code, text } of resources.warnings ?? []) this.#warn(code, text);
  }

  #resumeSession(replayed: ReplayedSession): void {
    this.#actors = replayed.actors;
    Object.assign(replayed.handlers, {
      perform: (command: SessionCommand) => this.#perform(command),
      record: (recorded: RecordedEvent) => this.#record(recorded),
    });
    resumeSession(replayed, {
      config: this.#options.config,
      startedAt: this.startedAt,
      lost: this.#lost,
      carryOut: (command) => this.#carryOut(command),
      dispatch: this.dispatch,
      runTool: (call) => this.#runTool(call),
      warn: this.#warn,
    });
  }

  /** The server of the room, or a Realtime client, is what a client with WebRTC is elsewhere. */
  #enterRoom(): void {
    this.dispatch({ type: 'socket.opened' });
    this.dispatch({ type: 'offer.received', kind: 'first' });
    this.#media.offerAnswered();
  }

  /** The session is ready when its face is. */
  #prepare(): void {
    const { config, audioIn, face, log } = this.#options;
    const replayed = this.#replayed;
    const prepared = (): void => {
      if (replayed?.outstanding.seen.prepared !== true) this.dispatch({ type: 'pipeline.ready' });
    };
    // Before its recognizer keeps up, the user's first words would be understood seconds late. In a room nobody is
    // heard.
    const recognizing = (): Promise<void> | undefined =>
      replayed === null && this.#visit === null ? audioIn.recognizing?.() : undefined;
    const drawn = face.prepare(config.avatar.engineKey, config.videoWidth, config.videoHeight);
    Promise.all([drawn, recognizing()]).then(prepared, (error: unknown) => {
      log.error({ sessionId: this.sessionId, err: error }, 'the avatar could not be prepared');
      if (replayed === null || !(error instanceof AvatarUnavailableError))
        return this.dispatch({ type: 'service.stop', reason: 'engine_error' });
      // A conversation that is going on is worth more than its picture. The face tries again.
      this.#warn('face_unavailable', 'The face cannot be shown now. The conversation goes on.');
      prepared();
    });
  }

  #perform(command: SessionCommand): void {
    this.#log.recorder?.command(command);
    this.#carryOut(command);
  }

  #carryOut(command: SessionCommand): void {
    performCommand(this.#commands, command, (type, error) =>
      this.#options.log.error({ sessionId: this.sessionId, command: type, err: error }, 'a command failed'),
    );
  }

  #record(recorded: RecordedEvent): void {
    this.#log.recorder?.event(recorded);
    this.#journal?.event(recorded);
  }

  async #runTool({ callId, toolName, args, correlationId }: ToolRun): Promise<void> {
    // Whoever goes on with this session must know that the tool was called: it is not called twice.
    if (this.#journal !== null) await storedFirst(this.#journal, systemTimers);
    this.dispatch(await this.#tools.run(callId, toolName, args, correlationId, this.#closing.signal));
  }

  /** Nothing happens in this session any more. @returns false when that was so before. */
  #stop(): boolean {
    if (this.#closing.signal.aborted) return false;
    this.#closing.abort();
    this.#llm.close();
    this.#speech?.close();
    this.#tools.close();
    this.#actors?.stop();
    this.#log.flush();
    this.#flood.close();
    return true;
  }

  #finish(code: EndReason, text: string | null): void {
    if (!this.#stop()) return;
    this.signaling.end(text === null ? null : { code, text });
    this.#journal?.close();
    // The client must read `endsession` before its peer connection goes away (signaling contract, section 8.2).
    systemTimers.setTimeout(() => this.#media.close(), PEER_CLOSES_AFTER_MS);
    this.#options.sink.closed(this.sessionId);
    this.#options.ended(code, text);
  }
}

function newHead({ config, resources, endOfTurnModelAvailable }: SessionHostOptions, startedAt: number): JournalHead {
  const idSeed = randomBytes(SEED_BYTES).toString('hex');
  return { config, idSeed, startedAt: Math.floor(startedAt), endOfTurnModelAvailable, head: resources.head ?? '' };
}

/** Null: the session is for a client. */
function openRoom(
  { config, resources, privateHosts = NO_PRIVATE_HOSTS, visitRoom, log }: SessionHostOptions,
  session: Pick<RoomOptions, 'dispatch' | 'warn'>,
): RoomVisit | null {
  if (resources.room === undefined || visitRoom === undefined) return null;
  const { sessionId, videoWidth: width, videoHeight: height } = config;
  return visitRoom({ ...session, sessionId, address: resources.room, allowed: privateHosts, width, height, log });
}

type ToolRun = Extract<SessionCommand, { type: 'tool.run' }>;

/** A frame has 100 ms to leave. A client that waits longer would see a face that does not move. */
const PEER_CLOSES_AFTER_MS = 150;

/** 128 bits, as in the UUIDs that are made from it. */
const SEED_BYTES = 16;
