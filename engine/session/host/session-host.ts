import { randomBytes } from 'node:crypto';
import type { SessionCommand } from '../../../actors/commands.ts';
import type { RecordedEvent, SessionEvent } from '../../../actors/events.ts';
import type { EndReason } from '../../../actors/report.ts';
import type { RoomAddress, SessionConfig, SessionResources } from '../../../actors/session-config.ts';
import { createSession, openingRequest, type Session } from '../../../actors/index.ts';
import { seededIds } from '../../../actors/kernel/seeded-ids.ts';
import { ProviderError } from '../../../models/ports.ts';
import type { Logger } from '../../../runtime/log.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { createSessionClock } from './session-clock.ts';
import { AvatarUnavailableError } from '../../ports.ts';
import type { Face, AudioIn, SessionSink, Transport, AudioOut } from '../../ports.ts';
import type { SessionJournals } from '../journal/journal.ts';
import type { Recording } from '../../recording/index.ts';
import { performCommand } from './command-table.ts';
import { createFloodControl } from './flood-control.ts';
import { writeHead } from '../journal/journal-head.ts';
import { writeJournal, type JournalWriter } from '../journal/journal-writer.ts';
import { goOn } from '../restore/go-on.ts';
import { lostWords } from '../restore/lost-words.ts';
import type { ReplayedPast } from '../restore/replay-past.ts';
import { migration, type Migration } from '../migrate/migration.ts';
import { storedFirst } from '../journal/stored-first.ts';
import { createLlmRunner } from './llm-runner.ts';
import { openLog, type OpenLog } from './open-log.ts';
import { createSessionSignaling, type SessionSignaling } from './session-signaling.ts';
import { openMedia, type SessionMedia } from './session-media.ts';
import { sessionCommands } from './session-commands.ts';
import { NO_PRIVATE_HOSTS, type Fetch, type PrivateHosts } from '../../net/index.ts';
import type { RoomOptions, RoomVisit, visitRoom } from '../../rooms/index.ts';
import { createToolRunner } from '../../tools/tool-runner.ts';

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
  readonly past?: { readonly replayed: ReplayedPast; readonly log: OpenLog };
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
  dispatch(event: SessionEvent): void;
  /** Speaks text without the LLM. @returns false when the session's limit for waiting text is reached. */
  talk(content: string): boolean;
}

/**
 * One live session. It connects the actors to the engine: each command of an actor becomes a call to a part of the
 * engine, and each report of a part becomes an event for the actors.
 */
export function startSessionHost(options: SessionHostOptions): SessionHost {
  const { config, resources, sink, log } = options;
  const { sessionId } = config;
  const replayed = options.past?.replayed ?? null;
  const startedAt = replayed?.startedAt ?? engineNow();
  const clock = replayed?.clock ?? createSessionClock(startedAt);
  const head = replayed?.head ?? {
    config,
    idSeed: randomBytes(SEED_BYTES).toString('hex'),
    startedAt: Math.floor(startedAt),
    endOfTurnModelAvailable: options.endOfTurnModelAvailable,
    head: resources.head ?? '',
  };
  const { recorder, flush: flushLog } = options.past?.log ?? openLog(head, options);
  const closing = new AbortController();
  /** Unset while the session starts: the engine may answer its first commands before `createSession` returns. */
  let actors: Session | undefined;
  let journal: JournalWriter | null = null;
  const dispatch = (event: SessionEvent): void => {
    if (event.type === 'stt.partial') lost.heardAgain();
    if (!closing.signal.aborted) actors?.dispatch(event);
  };
  const lost = lostWords(replayed, dispatch);

  const llm = createLlmRunner({
    sessionId,
    llm: resources.llm,
    dispatch,
    failed: (error) =>
      log.warn(
        { sessionId, err: error, ...(error instanceof ProviderError && { reason: error.reason }) },
        'the language model failed',
      ),
    noticed: ({ kind, sentence }) => {
      log.warn({ sessionId, kind, sentence }, 'the language model takes other requests');
      warn(kind === 'adapted' ? 'llm_adapted' : 'llm_odd_answer', sentence);
    },
  });
  const tools = createToolRunner({
    sessionId,
    config,
    knowledge: resources.knowledge,
    fetch: options.fetch,
    clock,
    log,
    traces: options.traces ?? false,
  });
  const runTool = async ({ callId, toolName, args, correlationId }: ToolRun): Promise<void> => {
    // Whoever goes on with this session must know that the tool was called: it is not called twice.
    if (journal !== null) await storedFirst(journal, systemTimers);
    dispatch(await tools.run(callId, toolName, args, correlationId, closing.signal));
  };
  /** Tells the client, and adds the warning to the session's report. */
  const warn = (code: string, text: string): void => {
    signaling.warn(text);
    sink.entry(sessionId, { kind: 'warning', at: clock.now(), code });
  };
  const flood = createFloodControl({ sessionId, now: engineNow, log, warn: (text) => warn('client_flood', text) });
  const room = openRoom(options, { dispatch, warn });
  const media: SessionMedia = openMedia({
    ...options,
    room,
    // A file has one beginning: what comes after a change of the process is not recorded.
    recording: config.recordingEnabled && !config.zeroDataRetention && replayed === null ? options.recording : null,
    recorded: (file) => sink.recording(sessionId, file),
    warn,
    startedAt,
    dispatch,
    flood,
    past: replayed && {
      connection: replayed.connection,
      media: replayed.outstanding.seen.media ? 'had begun' : 'never began',
    },
  });
  const signaling = createSessionSignaling({
    sessionId,
    media,
    dispatch,
    flood,
    stage: replayed?.outstanding.seen.ready === true ? 'ready' : 'starting',
    log,
  });
  // A meeting's browser is gone with its process, and so is what an agent has sent to a room.
  if (options.journals != null && config.meeting === null && room === null)
    journal = writeJournal({
      journal: options.journals.open(sessionId),
      head: replayed === null ? writeHead(head) : null,
      now: () => clock.now(),
      connection: () => media.connection.state(),
      timers: systemTimers,
    });

  /** Nothing happens in this session any more. @returns false when that was so before. */
  const stop = (): boolean => {
    if (closing.signal.aborted) return false;
    closing.abort();
    llm.close();
    tools.close();
    actors?.stop();
    flushLog();
    flood.close();
    return true;
  };
  const finish = (code: EndReason, text: string | null): void => {
    if (!stop()) return;
    signaling.end(text === null ? null : { code, text });
    journal?.close();
    // The client must read `endsession` before its peer connection goes away (signaling contract, section 8.2).
    systemTimers.setTimeout(() => media.close(), PEER_CLOSES_AFTER_MS);
    sink.closed(sessionId);
    options.ended(code, text);
  };

  const table = sessionCommands({
    sessionId,
    media,
    signaling,
    llm,
    runTool: (command) => void runTool(command),
    messageSent: () => journal?.messageSent(),
    cutLostSpeech: lost.cutSpeech,
    failLostUtterance: lost.failUtterance,
    sink,
    warn,
    finish,
  });
  const carryOut = (command: SessionCommand): void =>
    performCommand(table, command, (type, error) =>
      log.error({ sessionId, command: type, err: error }, 'a command failed'),
    );
  const perform = (command: SessionCommand): void => {
    recorder?.command(command);
    carryOut(command);
  };
  const record = (recorded: RecordedEvent): void => {
    recorder?.event(recorded);
    journal?.event(recorded);
  };

  if (replayed === null) {
    actors = createSession({
      config,
      clock,
      ids: seededIds(head.idSeed),
      record,
      startedAtWall: head.startedAt,
      endOfTurnModelAvailable: options.endOfTurnModelAvailable,
      perform,
      log: (message: string, details?: Readonly<Record<string, unknown>>) =>
        log.info({ sessionId, ...details }, message),
    });
    sink.started({ sessionId, organizationId: config.organizationId, startedAt });
    const opening = openingRequest(config, seededIds(head.idSeed));
    if (opening !== null) llm.warm(opening);
    for (const { code, text } of resources.warnings ?? []) warn(code, text);
  } else {
    actors = replayed.actors;
    Object.assign(replayed.takers, { perform, record });
    goOn(replayed, { config, startedAt, lost, carryOut, dispatch, runTool, warn });
  }
  const prepared = (): void => {
    if (replayed?.outstanding.seen.prepared !== true) dispatch({ type: 'pipeline.ready' });
  };
  if (room !== null) {
    // The server of the room is what a client is elsewhere, and Parley goes there itself.
    dispatch({ type: 'socket.opened' });
    dispatch({ type: 'offer.received', kind: 'first' });
    media.offerAnswered();
  }
  const face = options.face.prepare(config.avatar.engineKey, config.videoWidth, config.videoHeight);
  // Before its recognizer keeps up, the user's first words would be understood seconds late. In a room nobody is heard.
  Promise.all([face, replayed === null && room === null ? options.audioIn.recognizing?.() : undefined]).then(
    prepared,
    (error: unknown) => {
      log.error({ sessionId, err: error }, 'the avatar could not be prepared');
      if (replayed === null || !(error instanceof AvatarUnavailableError))
        return dispatch({ type: 'service.stop', reason: 'engine_error' });
      // A conversation that is going on is worth more than its picture. The face tries again.
      warn('face_unavailable', 'The face cannot be shown now. The conversation goes on.');
      prepared();
    },
  );

  const moving = migration({ sessionId, journal, signaling, media, sink, stop });
  return {
    sessionId,
    organizationId: config.organizationId,
    onlyOrigin: resources.onlyOrigin ?? null,
    room: resources.room ?? null,
    startedAt,
    signaling,
    dispatch,
    talk(content) {
      const admitted = flood.admits('talk', Buffer.byteLength(content));
      if (admitted) dispatch({ type: 'client.talk', content });
      return admitted;
    },
    ...moving,
  };
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
