import { randomBytes } from 'node:crypto';
import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import type { SessionConfig, SessionResources } from '../../actors/session-config.ts';
import { createSession, type Session } from '../../actors/index.ts';
import { FlightRecorder } from '../../actors/recorder/flight-recorder.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import { ProviderError } from '../../models/ports.ts';
import type { Logger } from '../log.ts';
import { VERSION } from '../version.ts';
import { createSessionClock, engineNow } from '../clock.ts';
import type { Face, AudioIn, SessionSink, Transport, AudioOut } from '../ports.ts';
import type { Recording } from '../recording/index.ts';
import { performCommand } from './command-table.ts';
import { createFloodControl } from './flood-control.ts';
import { createLogBatches } from './log-batches.ts';
import { createLlmRunner } from './llm-runner.ts';
import { createSessionSignaling, type SessionSignaling } from './session-signaling.ts';
import { openMedia, type SessionMedia } from './session-media.ts';
import { sessionCommands } from './session-commands.ts';
import type { Fetch } from '../net/index.ts';
import { createToolRunner } from '../tools/tool-runner.ts';

export interface SessionHostOptions {
  readonly config: SessionConfig;
  readonly resources: SessionResources;
  readonly transport: Transport;
  readonly audioIn: AudioIn;
  readonly audioOut: AudioOut;
  readonly face: Face;
  readonly recording: Recording;
  /** Reaches only public hosts; for webhooks and MCP servers. */
  readonly fetch: Fetch;
  readonly endOfTurnModelAvailable: boolean;
  readonly sink: SessionSink;
  readonly log: Logger;
  /** The session is over: the slot is free, `text` is what a late client is told. */
  readonly ended: (text: string | null) => void;
}

export interface SessionHost {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly startedAt: number;
  /** Only pages of this origin may connect; null: any client. */
  readonly onlyOrigin: string | null;
  /** What signaling talks to. */
  readonly signaling: SessionSignaling;
  dispatch(event: SessionEvent): void;
  /** Speaks text verbatim. @returns false when more came than the session takes. */
  talk(content: string): boolean;
}

/**
 * One live session: gives the actors of `actors/` their real hands. Every command of theirs becomes a call to a part of
 * the engine, and everything that the parts report becomes an event of theirs.
 */
export function startSessionHost(options: SessionHostOptions): SessionHost {
  const { config, resources, sink, log } = options;
  const { sessionId } = config;
  const startedAt = engineNow();
  // Whole ms, as the log's header keeps it: a replay must come to the same times in its messages.
  const startedAtWall = Math.floor(startedAt);
  const clock = createSessionClock(startedAt);
  const idSeed = randomBytes(SEED_BYTES).toString('hex');
  const lines = createLogBatches((batch) => sink.log(sessionId, batch));
  const recorder = config.zeroDataRetention
    ? null
    : new FlightRecorder(
        {
          software: VERSION,
          startedAt: new Date(startedAtWall).toISOString(),
          idSeed,
          endOfTurnModelAvailable: options.endOfTurnModelAvailable,
          config,
        },
        (signaling) => lines.add(signaling),
        () => log.warn({ sessionId }, 'the event log of a session is full; the session goes on without'),
      );
  const closing = new AbortController();
  /** Unset only while it starts: its first commands may already be answered. */
  let actors: Session | undefined;

  const dispatch = (event: SessionEvent): void => {
    if (!closing.signal.aborted) actors?.dispatch(event);
  };

  const llm = createLlmRunner({
    sessionId,
    llm: resources.llm,
    dispatch,
    failed: (error) =>
      log.warn(
        { sessionId, err: error, ...(error instanceof ProviderError && { reason: error.reason }) },
        'the language model failed',
      ),
  });
  const tools = createToolRunner({
    sessionId,
    config,
    knowledge: resources.knowledge,
    fetch: options.fetch,
    clock,
    log,
  });
  /** Every warning that a client is told is one of the session's report, whoever gives it. */
  const warn = (code: string, text: string): void => {
    signaling.warn(text);
    sink.entry(sessionId, { kind: 'warning', at: clock.now(), code });
  };
  const flood = createFloodControl({ sessionId, now: engineNow, log, warn: (text) => warn('client_flood', text) });
  const media: SessionMedia = openMedia({
    ...options,
    recording: config.recordingEnabled && !config.zeroDataRetention ? options.recording : null,
    recorded: (file) => sink.recording(sessionId, file),
    warn,
    startedAt,
    dispatch,
    flood,
  });
  const signaling = createSessionSignaling({ sessionId, media, dispatch, flood, log });

  const finish = (text: string | null): void => {
    if (closing.signal.aborted) return;
    closing.abort();
    llm.close();
    tools.close();
    signaling.end(text);
    // The client must read `endsession` before its peer connection goes away (signaling contract, section 8.2).
    clock.setTimeout(() => media.close(), PEER_CLOSES_AFTER_MS);
    actors?.stop();
    lines.flush();
    flood.close();
    sink.closed(sessionId);
    options.ended(text);
  };

  const table = sessionCommands({
    sessionId,
    media,
    signaling,
    llm,
    runTool: ({ callId, toolName, args, correlationId }) =>
      void tools.run(callId, toolName, args, correlationId, closing.signal).then(dispatch),
    sink,
    warn,
    finish,
  });
  actors = createSession({
    config,
    clock,
    ids: seededIds(idSeed),
    record: (recorded) => recorder?.event(recorded),
    startedAtWall,
    endOfTurnModelAvailable: options.endOfTurnModelAvailable,
    perform: (command: SessionCommand) => {
      recorder?.command(command);
      performCommand(table, command, (type, error) =>
        log.error({ sessionId, command: type, err: error }, 'a command failed'),
      );
    },
    log: (message: string, details?: Readonly<Record<string, unknown>>) => log.info({ sessionId, ...details }, message),
  });

  for (const text of resources.warnings ?? []) signaling.warn(text);
  sink.started({ sessionId, organizationId: config.organizationId, startedAt });
  options.face.prepare(config.avatar.engineKey, config.videoWidth, config.videoHeight).then(
    () => dispatch({ type: 'pipeline.ready' }),
    (error: unknown) => {
      log.error({ sessionId, err: error }, 'the avatar could not be prepared');
      dispatch({ type: 'service.stop', reason: 'engine_error' });
    },
  );
  return {
    sessionId,
    organizationId: config.organizationId,
    onlyOrigin: resources.onlyOrigin ?? null,
    startedAt,
    signaling,
    dispatch,
    talk(content) {
      const admitted = flood.admits('talk', Buffer.byteLength(content));
      if (admitted) dispatch({ type: 'client.talk', content });
      return admitted;
    },
  };
}

/** 150 ms: more than the 100 ms that a frame is given to flush, little enough that nobody watches a dead face. */
const PEER_CLOSES_AFTER_MS = 150;

/** 128 bits: as hard to guess as the UUIDs that grow from it. */
const SEED_BYTES = 16;
