import { randomBytes } from 'node:crypto';
import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import type { EndReason } from '../../actors/report.ts';
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
  /** For webhooks and MCP servers. It reaches only public hosts. */
  readonly fetch: Fetch;
  readonly endOfTurnModelAvailable: boolean;
  /** Whether webhooks are told the trace of their turn. @defaultValue false */
  readonly traces?: boolean;
  readonly sink: SessionSink;
  readonly log: Logger;
  /** Called when the session is over and its slot is free. A client that comes later is told why. */
  readonly ended: (reason: EndReason, text: string | null) => void;
}

export interface SessionHost {
  readonly sessionId: string;
  readonly organizationId: string;
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
  const startedAt = engineNow();
  // Whole milliseconds, as in the header of the log. Otherwise a replay would put other times into its messages.
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
  /** Unset while the session starts: the engine may answer its first commands before `createSession` returns. */
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
    traces: options.traces ?? false,
  });
  /** Tells the client, and adds the warning to the session's report. */
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

  const finish = (code: EndReason, text: string | null): void => {
    if (closing.signal.aborted) return;
    closing.abort();
    llm.close();
    tools.close();
    signaling.end(text === null ? null : { code, text });
    // The client must read `endsession` before its peer connection goes away (signaling contract, section 8.2).
    clock.setTimeout(() => media.close(), PEER_CLOSES_AFTER_MS);
    actors?.stop();
    lines.flush();
    flood.close();
    sink.closed(sessionId);
    options.ended(code, text);
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

  sink.started({ sessionId, organizationId: config.organizationId, startedAt });
  for (const { code, text } of resources.warnings ?? []) warn(code, text);
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

/** A frame has 100 ms to leave. A client that waits longer would see a face that does not move. */
const PEER_CLOSES_AFTER_MS = 150;

/** 128 bits, as in the UUIDs that are made from it. */
const SEED_BYTES = 16;
