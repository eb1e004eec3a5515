import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { WebSocket } from 'ws';
import type { SessionReportEntry } from '../../../actors/report.ts';
import type { SessionConfig, StartWarning } from '../../../actors/session-config.ts';
import { testConfig } from '../../../actors/testing/session-config.ts';
import { createFakeSynthesizer } from '../../../models/fakes/index.ts';
import type { LanguageModel } from '../../../models/ports.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import type { SessionJournals, RestorableSession } from '../journal/journal.ts';
import { AvatarUnavailableError, type Engine, type Face, type AudioIn, type SessionSink } from '../../ports.ts';
import type { Recording } from '../../recording/index.ts';
import { createTransport } from '../../transport/index.ts';
import {
  openLoopbackClient,
  type LoopbackClient,
  type LoopbackClientOptions,
} from '../../transport/testing/loopback-client.ts';
import { openUdpRelay, type UdpRelay } from '../../transport/testing/udp-relay.ts';
import { createAudioOut } from '../../audio-out/index.ts';
import { fixedCapacity } from './fixed-capacity.ts';
import { createEngine } from '../engine.ts';

const FRAME_MS = 40;
const REPORT_MS = 100;
const log = pino({ level: 'silent' });

export interface ReceivedMessage {
  readonly messageType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One peer connection of a client with a separate socket, on a network that the test can cut. */
export interface LiveClient {
  readonly media: LoopbackClient;
  readonly network: UdpRelay;
  readonly messages: readonly ReceivedMessage[];
  /** `actionType` of everything on the socket. */
  readonly signals: readonly string[];
  say(text: string): void;
  /** A message of the data-channel protocol. */
  send(messageType: string, fields: Readonly<Record<string, unknown>>): void;
  close(): void;
}

export interface LiveEngine {
  readonly engine: Engine;
  readonly sessionId: string;
  /** What the session leaves behind. */
  readonly entries: readonly SessionReportEntry[];
  /** Batches of its log. */
  readonly logged: readonly string[];
  /** Whether a face is drawn for anybody. */
  isFaceDrawn(): boolean;
  connect(options?: LoopbackClientOptions): Promise<LiveClient>;
  close(): Promise<void>;
}

/**
 * One session on the real engine: real signaling, transport, actors and voice (a synthesizer with declared times).
 * Nobody listens to the microphone, and the face is a stream of empty frames, because neither matters to these tests.
 */
export async function openLiveEngine(options: LiveEngineOptions): Promise<LiveEngine> {
  const transport = await createTransport({ publicAddress: '127.0.0.1', udpPort: 0, log });
  const entries: SessionReportEntry[] = [];
  const logged: string[] = [];
  const face = emptyFace(options.face ?? { isThere: true });
  const engine = createEngine({
    transport,
    audioIn: idleAudioIn(),
    audioOut: createAudioOut({ synthesizers: { fake: createFakeSynthesizer() }, timers: systemTimers, log }),
    face,
    recording: noRecording(),
    fetch,
    journals: options.journals ?? null,
    endOfTurnModelAvailable: false,
    sink: keptSink(entries, logged),
    log,
    capacity: fixedCapacity(1),
  });
  const server = createServer();
  engine.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { sessionId } = await startOn(engine, options);
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws?session_id=${sessionId}`;
  const clients: LiveClient[] = [];
  return {
    engine,
    sessionId,
    entries,
    logged,
    isFaceDrawn: () => face.isDrawn,
    async connect(clientOptions) {
      const client = await connectTo(url, { sessionId, udpPort: transport.udpPort }, clientOptions);
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      await engine.close();
      server.close();
    },
  };
}

export interface LiveEngineOptions {
  readonly llm: LanguageModel;
  readonly config?: Partial<SessionConfig>;
  /** What the client is told at the start. @defaultValue nothing */
  readonly warnings?: readonly StartWarning[];
  /** Whether the face can be had: changed by the test. @defaultValue it can */
  readonly face?: { isThere: boolean };
  /** @defaultValue none are written */
  readonly journals?: SessionJournals;
  /** A session of another engine that this one goes on with, how much of its log is stored, and what it has read before. */
  readonly past?: {
    readonly session: RestorableSession;
    readonly loggedLines: number;
    readonly ahead?: RestorableSession;
  };
}

async function startOn(engine: Engine, { llm, warnings = [], config, past }: LiveEngineOptions) {
  const resources = { llm, knowledge: { search: async () => [] }, warnings };
  if (past?.ahead !== undefined) await engine.expect(past.ahead);
  return past === undefined
    ? engine.createSession(testConfig(config), resources)
    : engine.takeOver(past.session, resources, past.loggedLines);
}

async function connectTo(
  url: string,
  { sessionId, udpPort }: { readonly sessionId: string; readonly udpPort: number },
  options: LoopbackClientOptions = {},
): Promise<LiveClient> {
  const network = await openUdpRelay(udpPort);
  const messages: ReceivedMessage[] = [];
  const signals: string[] = [];
  const onMessage = (text: string) => messages.push(JSON.parse(text) as ReceivedMessage);
  const media = openLoopbackClient({ ...options, onMessage });
  const socket = new WebSocket(url);
  await once(socket, 'open');
  socket.on('message', (data: Buffer) => {
    const { actionType, payload } = JSON.parse(data.toString()) as { actionType: string; payload: { sdp: string } };
    signals.push(actionType);
    if (actionType === 'answer') media.acceptAnswer(network.route(payload.sdp));
  });
  const payload = { connectionDescription: { type: 'offer', sdp: media.offer }, userUid: sessionId };
  socket.send(JSON.stringify({ actionType: 'offer', sessionId, payload }));
  await media.channelOpen;
  const reporting = setInterval(() => media.reportAudio(), REPORT_MS);
  const client: LiveClient = {
    media,
    network,
    messages,
    signals,
    say: (text) => client.send('speech', { content: text, timestamp: '2026-01-01T00:00:00.000' }),
    send: (messageType, fields) =>
      void media.sendMessage(JSON.stringify({ message_type: messageType, session_id: sessionId, ...fields })),
    close() {
      clearInterval(reporting);
      socket.terminate();
      media.close();
      network.close();
    },
  };
  return client;
}

function noRecording(): Recording {
  return {
    open: () => {
      throw new Error('Nothing is recorded here.');
    },
    close: async () => {},
  };
}

function keptSink(entries: SessionReportEntry[], logged: string[]): SessionSink {
  return {
    started() {},
    entry: (_, entry) => void entries.push(entry),
    entryAgain: (_, entry) => void entries.push(entry),
    log: (_, lines) => void logged.push(lines),
    closed() {},
    left: async () => {},
    recording() {},
  };
}

function idleAudioIn(): AudioIn {
  return {
    open: ({ handlers }) => ({
      packet() {},
      reset() {},
      askEndOfTurn() {},
      configure() {},
      close() {},
      finish: () => handlers.report({ type: 'stt.final', text: '', language: null }),
    }),
    close: async () => {},
  };
}

function emptyFace(state: { readonly isThere: boolean }): Face & { readonly isDrawn: boolean } {
  let isDrawn = false;
  const fetch = async (engineKey: string): Promise<void> => {
    if (!state.isThere) throw new AvatarUnavailableError(engineKey, 'away');
  };
  return {
    get isDrawn() {
      return isDrawn;
    },
    fetch,
    prepare: fetch,
    open({ handlers }) {
      let keyframe = true;
      let drawing: NodeJS.Timeout | undefined;
      return {
        start() {
          isDrawn = true;
          drawing ??= setInterval(() => {
            handlers.frame({ data: Uint8Array.of(0, 0, 0, 1, keyframe ? 0x65 : 0x61, 0), keyframe, at: engineNow() });
            keyframe = false;
          }, FRAME_MS);
        },
        keyframe: () => void (keyframe = true),
        setCodec() {},
        show() {},
        cue() {},
        mouth() {},
        mouthStopped() {},
        setBitrate() {},
        close: () => clearInterval(drawing),
      };
    },
    close: async () => {},
  };
}
