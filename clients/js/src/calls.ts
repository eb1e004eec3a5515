import { clientMessage } from './client-messages.ts';
import { ConfigUpdates } from './config-updates.ts';
import { Conversation } from './conversation.ts';
import { defaultBaseUrl } from './default-base-url.ts';
import type { Emitter } from './emitter.ts';
import { ClientError } from './errors.ts';
import type { ClientEvents } from './events.ts';
import type { Microphone } from './microphone.ts';
import { openSession, type OpenedSession } from './open-session.ts';
import type { ClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { saveSession, readSavedSession, resumeKey, takeSavedSession, type SavedSession } from './resume.ts';
import type { StartResponse } from './start-response.ts';
import { startSession } from './start-session.ts';
import { StatsReader } from './stats.ts';
import type { Tools } from './tools.ts';
import { VERSION } from './version.ts';

/** What one conversation has, from its start to its end. */
export interface Call extends OpenedSession {
  readonly start: StartResponse;
  readonly conversation: Conversation;
  readonly updates: ConfigUpdates;
  /** Ms since 1970. */
  readonly startedAt: number;
  /** By correlation id, of the talks that are not over: marks a talk stream as cut. */
  readonly cuts: Map<string, () => void>;
  readonly stats: StatsReader;
}

export interface CallsOptions {
  /** Asked for when a session is started. */
  readonly token: () => string | Promise<string>;
  readonly options: ClientOptions;
  readonly events: Emitter<ClientEvents>;
  readonly tools: Tools;
  readonly microphone: Microphone;
  readonly platform: Platform;
}

const NOTHING_SAID = { messages: [], pieces: {} };

/** The conversations of one client, one at a time: how they start, continue after a reload, and end. */
export class Calls {
  readonly #use: CallsOptions;
  #current: Call | null = null;
  #last: Conversation | null = null;
  /** The start that runs now; the function stops it. Another value than one's own: it was stopped. */
  #starting: (() => void) | null = null;

  constructor(use: CallsOptions) {
    this.#use = use;
  }

  get current(): Call | null {
    return this.#current;
  }

  /** Whether the next start continues a conversation that was left by a reload. */
  get canResume(): boolean {
    const key = resumeKey(this.#use.options.resume);
    return key !== null && readSavedSession(key, this.#use.platform.now()) !== null;
  }

  /** The current or the last one: what was said can be read after the end. */
  get conversation(): Conversation | null {
    return this.#last;
  }

  /** @returns the stream when video and audio are in it. @throws ClientError */
  async begin(userStream: MediaStream | undefined): Promise<MediaStream> {
    if (this.#starting !== null || this.#current !== null)
      throw new ClientError('configuration', 'This client is in a conversation already.');
    const stopped = new ClientError('not_streaming', 'The conversation was stopped before it had begun.');
    let start = (): void => undefined;
    const stop = new Promise<never>((_, reject) => (start = () => reject(stopped)));
    this.#starting = start;
    const unlessStopped = (): void => {
      if (this.#starting !== start) throw stopped;
    };
    try {
      // Whoever stops it does not wait for the browser's question or the service's answer.
      return await Promise.race([this.#begin(userStream, unlessStopped), stop]);
    } catch (error) {
      if (this.#current === null && this.#starting === start) this.#use.microphone.close();
      throw error;
    } finally {
      if (this.#starting === start) this.#starting = null;
    }
  }

  stop(): void {
    this.#starting?.();
    this.#starting = null;
    this.#current?.session.stop();
    this.#use.microphone.close();
  }

  async #begin(userStream: MediaStream | undefined, unlessStopped: () => void): Promise<MediaStream> {
    const { options, events, platform } = this.#use;
    const key = resumeKey(options.resume);
    const left = key === null ? null : takeSavedSession(key, platform.now());
    const microphone = this.#openMicrophone(userStream);
    // It is awaited later, or not at all.
    microphone.catch(() => undefined);
    if (left !== null) {
      const resumed = this.#open(left, microphone, 'left before');
      const stream = await resumed.stream.catch(() => null);
      unlessStopped();
      if (stream !== null) {
        events.emit('MESSAGE_HISTORY_UPDATED', resumed.conversation.messages);
        return stream;
      }
      // The service did not wait any longer: another session follows.
    }
    // While the browser asks the user, a session that has started would wait and speak to nobody.
    if (userStream === undefined && (await platform.mustAsk())) await microphone;
    unlessStopped();
    const token = await this.#use.token();
    unlessStopped();
    const start = await this.#start(token, unlessStopped);
    unlessStopped();
    return this.#open({ start, startedAt: platform.now(), ...NOTHING_SAID }, microphone, 'new').stream;
  }

  #start(token: string, beforeAttempt: () => void): Promise<StartResponse> {
    const { api, voiceDetection, showAIAvatarDisclosure } = this.#use.options;
    return startSession(
      token,
      { ...api, baseUrl: api?.baseUrl ?? defaultBaseUrl() },
      {
        ...(voiceDetection !== undefined && { voiceDetection }),
        ...(showAIAvatarDisclosure === true && { sessionOptions: { showAIAvatarDisclosure } }),
        clientMetadata: { client: 'parley-js', version: VERSION },
      },
      this.#use.platform,
      { beforeAttempt },
    );
  }

  /** @returns null when there is none and the conversation goes on without. @throws ClientError if one is required. */
  async #openMicrophone(userStream: MediaStream | undefined): Promise<MediaStreamTrack | null> {
    const { microphone, options } = this.#use;
    if (options.disableInputAudio === true) return null;
    if (userStream !== undefined) return microphone.use(userStream);
    try {
      return await microphone.open(options.audioDeviceId);
    } catch (error) {
      if (options.requireInputAudio === true) throw error;
      return null;
    }
  }

  #open(
    { start, startedAt, messages, pieces }: Omit<SavedSession, 'leftAt'>,
    microphone: Promise<MediaStreamTrack | null>,
    origin: 'new' | 'left before',
  ): Call {
    const { options, events, tools, platform } = this.#use;
    tools.reset();
    const updates = new ConfigUpdates((update) => opened.session.send(clientMessage.configUpdate(update)));
    const conversation = new Conversation({
      events,
      tools,
      updates,
      messages,
      pieces,
      elapsedMs: () => platform.now() - startedAt,
    });
    const cuts = new Map<string, () => void>();
    /** Whether the service has answered: a session that was left may be gone, and its end is nobody's business. */
    let isThere = origin === 'new';
    const on = {
      talkOver: (correlationId: string, interrupted: boolean) => {
        if (interrupted) cuts.get(correlationId)?.();
        cuts.delete(correlationId);
      },
      ended: () => {
        this.#current = null;
        forgetPage();
        if (isThere) this.#use.microphone.close();
        return isThere;
      },
    };
    const opened = openSession(start, options, conversation, events, on, platform);
    const forgetPage = platform.onPage('pagehide', () => this.#leave());
    void opened.stream.then(
      () => (isThere = true),
      () => undefined,
    );
    void microphone.then(
      () => {
        // Not the one that was opened: it may have been changed or unplugged before there was a session to tell.
        if (opened.session.isLive) return opened.session.setMicrophone(this.#use.microphone.track);
        if (this.#current === null && this.#starting === null) this.#use.microphone.close();
        return undefined;
      },
      (error: ClientError) => opened.session.fail(error),
    );
    this.#current = { ...opened, start, conversation, updates, startedAt, cuts, stats: new StatsReader() };
    this.#last = conversation;
    events.emit('CONNECTION_STATE_CHANGED', 'connecting');
    return this.#current;
  }

  /**
   * The page goes. No browser keeps one with a live peer connection to show it again, and what they take its connection
   * away with is no goodbye: the service would wait a minute for a client that nobody can resume.
   */
  #leave(): void {
    const key = resumeKey(this.#use.options.resume);
    if (key === null) return this.stop();
    if (this.#current === null) return;
    const { start, conversation, startedAt } = this.#current;
    const { messages, pieces } = conversation;
    saveSession(key, { start, messages, pieces, startedAt, leftAt: this.#use.platform.now() });
  }
}
