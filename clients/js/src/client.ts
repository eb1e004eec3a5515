import { AgentAudioInputStream, type AgentAudioInputConfig } from './agent-audio.ts';
import { Calls, type Call } from './calls.ts';
import type { Caption } from './captions.ts';
import {
  clientMessage,
  DIRECTOR_NOTE_CUE_TAGS,
  type DirectorNoteCueOptions,
  type DirectorNoteCueTag,
  type PersonaConfigUpdate,
} from './client-messages.ts';
import { Emitter } from './emitter.ts';
import { ClientError } from './errors.ts';
import type { ClientEvents, ConnectionState } from './events.ts';
import type { FloorHolder } from './floor.ts';
import type { Message } from './history.ts';
import { listAudioInputDevices, Microphone, type AudioInputDevice, type InputAudioState } from './microphone.ts';
import type { ClientOptions } from './options.ts';
import { BROWSER, type Platform } from './platform.ts';
import { playVideo } from './play-video.ts';
import { randomId } from './random-id.ts';
import type { PersonaConfigUpdateAppliedEvent } from './server-messages.ts';
import type { ConnectionStats } from './stats.ts';
import { TalkMessageStream } from './talk-stream.ts';
import type { ToolCallHandler } from './tool-call.ts';
import { Tools } from './tools.ts';

/** A client of one persona. It holds one conversation at a time; after its end, another can be started. */
export class Client {
  readonly #events = new Emitter<ClientEvents>();
  readonly #tools: Tools;
  readonly #microphone: Microphone;
  readonly #calls: Calls;
  readonly #platform: Platform;
  #connectionState: ConnectionState = 'closed';

  /** Made by `createClient`. @param token is asked for when a session is started. */
  constructor(token: () => string | Promise<string>, options: ClientOptions, platform: Platform = BROWSER) {
    this.#platform = platform;
    const events = this.#events;
    this.#tools = new Tools({
      events,
      answer: (call, outcome) => this.#calls.current?.session.send(clientMessage.toolResult(call, outcome)),
      now: platform.now,
    });
    this.#microphone = new Microphone(
      events,
      (track) => void this.#calls.current?.session.setMicrophone(track),
      platform,
    );
    this.#calls = new Calls({ token, options, events, tools: this.#tools, microphone: this.#microphone, platform });
    events.add('CONNECTION_STATE_CHANGED', (state) => {
      this.#connectionState = state;
    });
  }

  /**
   * Starts a conversation. Resolves when video and audio have arrived.
   * @param userProvidedAudioStream is heard instead of a microphone. @returns the stream with video and audio, twice:
   * the public clients give one for each.
   * @throws ClientError
   */
  async stream(userProvidedAudioStream?: MediaStream): Promise<[video: MediaStream, audio: MediaStream]> {
    const stream = await this.#calls.begin(userProvidedAudioStream);
    return [stream, stream];
  }

  /** The same, shown in a `<video>` element or the one with this id. @throws ClientError */
  async streamToVideoElement(video: string | HTMLVideoElement, userProvidedAudioStream?: MediaStream): Promise<void> {
    const element = typeof video === 'string' ? document.getElementById(video) : video;
    if (!(element instanceof HTMLVideoElement))
      throw new ClientError('configuration', `There is no <video> element with the id "${String(video)}".`);
    const [stream] = await this.stream(userProvidedAudioStream);
    await playVideo(element, stream, {
      started: () => this.#events.emit('VIDEO_PLAY_STARTED'),
      soundBlocked: () => this.#events.emit('AUDIO_PLAY_BLOCKED'),
    });
  }

  /** Ends the conversation, or its start. */
  async stopStreaming(): Promise<void> {
    this.#calls.stop();
  }

  isStreaming(): boolean {
    return this.#calls.current !== null;
  }

  /** Lets the persona say a text, word for word, after what it says now. @throws ClientError `not_streaming` */
  async talk(content: string): Promise<void> {
    await this.createTalkMessageStream().streamMessageChunk(content, true);
  }

  /**
   * A stream of text that the persona says as it comes.
   * @param correlationId names it in events. @throws ClientError `not_streaming`
   */
  createTalkMessageStream(correlationId: string = randomId()): TalkMessageStream {
    const { session, cuts } = this.#live();
    return new TalkMessageStream(correlationId, {
      send: (chunk) => session.signal('talkstream', chunk),
      begun: (cut) => cuts.set(correlationId, cut),
      isLive: () => session.isLive,
    });
  }

  /** Speech of your own, as raw audio. @throws ClientError `not_streaming` */
  createAgentAudioInputStream(config: AgentAudioInputConfig): AgentAudioInputStream {
    const { session } = this.#live();
    return new AgentAudioInputStream(config, (actionType, payload) => session.signal(actionType, payload));
  }

  /** What the user typed. It interrupts the persona, which answers it. @throws ClientError `not_streaming` */
  sendUserMessage(content: string): void {
    const { session, conversation } = this.#live();
    session.send(clientMessage.speech(session.sessionId, content));
    conversation.typed(content);
  }

  /** The persona stops speaking. @throws ClientError `not_streaming` */
  interruptPersona(): void {
    const { session } = this.#live();
    session.send(clientMessage.interrupt(session.sessionId));
  }

  /** What the persona is to know from the user's next turn on. It does not answer. @throws ClientError `not_streaming` */
  addContext(content: string): void {
    const { session } = this.#live();
    session.send(clientMessage.context(session.sessionId, content));
  }

  /** How the persona looks and sounds from now on, or at a time. @throws ClientError `configuration`, `not_streaming` */
  sendDirectorNoteCue(tag: DirectorNoteCueTag, options: DirectorNoteCueOptions = {}): void {
    const { inSeconds, atSeconds } = options;
    if (!DIRECTOR_NOTE_CUE_TAGS.includes(tag)) throw new ClientError('configuration', `There is no cue "${tag}".`);
    if (inSeconds !== undefined && atSeconds !== undefined)
      throw new ClientError('configuration', 'A cue has either inSeconds or atSeconds.');
    const seconds = inSeconds ?? atSeconds ?? 0;
    if (!Number.isFinite(seconds) || seconds < 0)
      throw new ClientError('configuration', 'The time of a cue is a number of seconds from 0.');
    this.#live().session.send(clientMessage.cue(tag, options));
  }

  /**
   * Changes settings of the running session.
   * @returns what has changed, with the values before and after, when the service has applied it.
   * @throws ClientError `update_rejected` with the reason; nothing was changed then
   */
  async updatePersonaConfig(update: PersonaConfigUpdate): Promise<PersonaConfigUpdateAppliedEvent> {
    return this.#live().updates.request(update);
  }

  /** Any text on the data channel, for messages that this client does not know. @throws ClientError `not_streaming` */
  sendDataMessage(message: string): void {
    this.#live().session.send(message);
  }

  /** @param toolName `*`: all tools without a handler of their own. @returns a function that removes the handler. */
  registerToolCallHandler(toolName: string, handler: ToolCallHandler): () => void {
    return this.#tools.register(toolName, handler);
  }

  /** @returns a function that removes the listener. */
  addListener<Name extends keyof ClientEvents>(
    event: Name,
    listener: (...args: ClientEvents[Name]) => void,
  ): () => void {
    return this.#events.add(event, listener);
  }

  removeListener<Name extends keyof ClientEvents>(event: Name, listener: (...args: ClientEvents[Name]) => void): void {
    this.#events.remove(event, listener);
  }

  muteInputAudio(): InputAudioState {
    return this.#microphone.mute(true);
  }

  unmuteInputAudio(): InputAudioState {
    return this.#microphone.mute(false);
  }

  getInputAudioState(): InputAudioState {
    return this.#microphone.state;
  }

  /** Loudness of the microphone in the last moment, 0…1. For a meter: read it with each frame. */
  getInputLevel(): number {
    return this.#microphone.level();
  }

  /** Also during a conversation. @throws ClientError; the device before stays in use then. */
  async changeAudioInputDevice(deviceId: string): Promise<void> {
    await this.#microphone.change(deviceId);
  }

  listAudioInputDevices(): Promise<readonly AudioInputDevice[]> {
    return listAudioInputDevices(this.#platform);
  }

  /** How the connection does. @throws ClientError `not_streaming` */
  async getStats(): Promise<ConnectionStats> {
    const { session, stats } = this.#live();
    return stats.read(await session.stats());
  }

  /**
   * With the option `resume`: whether the next start continues the conversation that a reload has left, without another
   * session. A page that starts at a click can then start by itself.
   */
  canResume(): boolean {
    return this.#calls.canResume;
  }

  getActiveSessionId(): string | null {
    return this.#calls.current?.start.sessionId ?? null;
  }

  getActiveSessionRegion(): string | null {
    return this.#calls.current?.start.region ?? null;
  }

  getConnectionState(): ConnectionState {
    return this.#connectionState;
  }

  /** What was said and typed, oldest first. Also after the end, until the next start. */
  getMessageHistory(): readonly Message[] {
    return this.#calls.conversation?.messages ?? [];
  }

  /** Of the message that is spoken now, or was last. */
  getCaption(): Caption | null {
    return this.#calls.conversation?.caption ?? null;
  }

  getFloor(): FloorHolder {
    return this.#calls.conversation?.holder ?? 'nobody';
  }

  #live(): Call {
    const call = this.#calls.current;
    if (call === null) throw new ClientError('not_streaming', 'There is no conversation: call stream() first.');
    return call;
  }
}
