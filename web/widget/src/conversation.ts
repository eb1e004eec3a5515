import { batch, computed, signal } from '@preact/signals';
import {
  type Caption,
  createClient,
  type Client,
  type FloorHolder,
  type Message,
} from '../../../clients/js/src/index.ts';
import { type Look, loadLook, loadSessionToken, Refused } from './bootstrap.ts';
import { saveConversation, resumeName, takeSavedConversation } from './saved-conversation.ts';
import type { Options, Source } from './options.ts';
import { endingOf, type Ending, type Problem, problemOfClient } from './problems.ts';
import type { WidgetEvents } from './widget-events.ts';

export type Phase =
  | { readonly name: 'loading' }
  /** There is nobody to talk to. */
  | { readonly name: 'refused'; readonly problem: Problem }
  | { readonly name: 'ready' }
  | { readonly name: 'starting'; readonly step: 'microphone' | 'connecting' }
  | { readonly name: 'live' }
  /** `ending` null: as conversations end. */
  | { readonly name: 'over'; readonly ending: Ending | null };

/** Tells the page around the widget what happens. */
export type EmitEvent = <Name extends keyof WidgetEvents>(name: Name, detail: WidgetEvents[Name]) => void;

/** A session token, or a function that gets one. */
type Token = string | (() => string);

/** The service did not wait for a page that was reloaded. */
class NotWaited extends Error {}

/** Adds a listener for as long as this conversation is the current one. */
type Listen = Client['addListener'];

/** One visitor's conversation: what the views show, and what the visitor can do. */
export class Conversation {
  readonly look = signal<Look | null>(null);
  readonly phase = signal<Phase>({ name: 'loading' });
  readonly messages = signal<readonly Message[]>([]);
  readonly caption = signal<Caption | null>(null);
  readonly holder = signal<FloorHolder>('nobody');
  readonly reconnecting = signal(false);
  readonly muted = signal(false);
  /** False while the visitor only types. */
  readonly hasMicrophone = signal(false);
  /** The visitor has called by voice, and it is not known yet whether there is a microphone. */
  readonly waitsForMicrophone = signal(false);
  /** A problem beside a conversation that goes on. */
  readonly notice = signal<Problem | null>(null);
  /** The browser plays sound only after a click. */
  readonly soundBlocked = signal(false);
  readonly pictureShown = signal(false);
  /** A reload has left a conversation, which continues as soon as there is a place for its video. */
  readonly canResume = signal(false);
  /** All messages, with the one that is being said. */
  readonly transcript = computed(() => withOpenMessage(this.messages.value, this.caption.value));
  readonly inConversation = computed(() => ['starting', 'live'].includes(this.phase.value.name));

  readonly #options: Options;
  readonly #emit: EmitEvent;
  #client: Client | null = null;
  #byVoice = true;
  /** Counts attempts: what an older one still brings is dropped. */
  #attempt = 0;

  constructor(options: Options, emit: EmitEvent) {
    this.#options = options;
    this.#emit = emit;
  }

  /** Finds out whom the visitor can talk to. */
  async load(): Promise<void> {
    const { source, service } = this.#options;
    if (source === null) return this.#refuse('nothingNamed');
    this.phase.value = { name: 'loading' };
    if (this.#findLeft(source)) return;
    try {
      this.show(await loadLook(service, source));
    } catch (error) {
      this.#refuse(problemOf(error));
    }
  }

  show(look: Look): void {
    batch(() => {
      this.look.value = look;
      if (this.phase.value.name === 'loading') this.phase.value = { name: 'ready' };
    });
  }

  /** @param video where the persona is shown. @param byVoice false: the visitor only types. */
  async start(video: HTMLVideoElement, byVoice: boolean): Promise<void> {
    this.#byVoice = byVoice;
    await this.#begin((source) => loadSessionToken(this.#options.service, source, this.#options.variableValues), video);
  }

  /** Continues what a reload has left, if the service still waits. It never starts another conversation. */
  async resume(video: HTMLVideoElement): Promise<void> {
    await this.#begin(
      () => () => {
        throw new NotWaited();
      },
      video,
    );
    this.canResume.value = false;
  }

  say(text: string): void {
    const content = text.trim();
    if (content === '' || this.#client === null) return;
    this.#client.sendUserMessage(content);
    this.#emit('message-sent', { content });
  }

  interrupt(): void {
    this.#client?.interruptPersona();
  }

  toggleMute(): void {
    if (this.#client === null) return;
    const { isMuted } = this.muted.value ? this.#client.unmuteInputAudio() : this.#client.muteInputAudio();
    this.muted.value = isMuted;
    this.#emit(isMuted ? 'mic-muted' : 'mic-unmuted', {});
  }

  hangUp(): void {
    if (!this.inConversation.value) return;
    this.#emit('session-ended', { reason: 'stopped' });
    this.#over(null);
  }

  async #begin(token: (source: Source) => Token | Promise<Token>, video: HTMLVideoElement): Promise<void> {
    const { source } = this.#options;
    if (source === null || this.inConversation.value) return;
    const attempt = ++this.#attempt;
    this.#reset();
    const isCurrent = (): boolean => attempt === this.#attempt;
    try {
      await this.#call(source, await token(source), video, isCurrent).catch(async (error: unknown) => {
        // The browser's question about the microphone was open for longer than a token lives.
        if (!isCurrent() || !isExpired(error)) throw error;
        await this.#call(source, await token(source), video, isCurrent);
      });
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof NotWaited) this.#waitForVisitor();
      else this.#over(problemOf(error));
    }
  }

  async #call(source: Source, token: Token, video: HTMLVideoElement, isCurrent: () => boolean): Promise<void> {
    if (!isCurrent()) return;
    const client = this.#createClient(source, token);
    this.#client = client;
    addEventListener('pagehide', this.#leave);
    this.#listen(client, isCurrent);
    await client.streamToVideoElement(video);
  }

  #createClient(source: Source, token: Token): Client {
    const { service, resume } = this.#options;
    return createClient(token, {
      api: { baseUrl: service },
      disableInputAudio: !this.#byVoice,
      ...(resume && { resume: resumeName(source) }),
    });
  }

  #findLeft(source: Source): boolean {
    if (!this.#options.resume || !this.#createClient(source, () => '').canResume()) return false;
    const left = takeSavedConversation(source);
    if (left === null) return false;
    this.#byVoice = left.byVoice;
    this.show(left.look);
    this.canResume.value = true;
    return true;
  }

  /** The page goes. */
  readonly #leave = (): void => {
    const { source, resume } = this.#options;
    const look = this.look.value;
    if (resume && source !== null && look !== null) saveConversation(source, { look, byVoice: this.#byVoice });
  };

  #listen(client: Client, isCurrent: () => boolean): void {
    const on: Listen = (event, listener) =>
      client.addListener(event, ((...args: Parameters<typeof listener>) => {
        if (isCurrent()) listener(...args);
      }) as typeof listener);
    this.#listenToMicrophone(on);
    on('SESSION_READY', (sessionId) => {
      this.phase.value = { name: 'live' };
      this.#emit('session-started', { sessionId });
    });
    on('VIDEO_PLAY_STARTED', () => {
      this.pictureShown.value = true;
    });
    on('AUDIO_PLAY_BLOCKED', () => {
      this.soundBlocked.value = true;
    });
    on('CONNECTION_STATE_CHANGED', (state) => {
      this.reconnecting.value = state === 'reconnecting';
    });
    on('FLOOR_CHANGED', (holder) => {
      this.holder.value = holder;
    });
    on('CAPTION_UPDATED', (caption) => {
      this.caption.value = caption;
    });
    this.#listenToWords(on);
    on('CONNECTION_CLOSED', (_code, _details, end) => {
      this.#emit('session-ended', { reason: end.reason });
      this.#over(endingOf(end));
    });
  }

  #listenToMicrophone(on: Listen): void {
    on('MIC_PERMISSION_PENDING', () => {
      this.phase.value = { name: 'starting', step: 'microphone' };
    });
    on('MIC_PERMISSION_GRANTED', () => {
      batch(() => {
        this.hasMicrophone.value = true;
        this.waitsForMicrophone.value = false;
        if (this.phase.value.name === 'starting') this.phase.value = { name: 'starting', step: 'connecting' };
      });
    });
    on('MIC_PERMISSION_DENIED', (_message, error) => {
      batch(() => {
        this.waitsForMicrophone.value = false;
        this.notice.value = problemOfClient(error);
        if (this.phase.value.name === 'starting') this.phase.value = { name: 'starting', step: 'connecting' };
      });
      this.#emit('error', { problem: problemOfClient(error) });
    });
    on('INPUT_AUDIO_LOST', (error) => {
      batch(() => {
        this.hasMicrophone.value = false;
        this.notice.value = problemOfClient(error);
      });
      this.#emit('error', { problem: problemOfClient(error) });
    });
    on('INPUT_AUDIO_DEVICE_CHANGED', () => {
      batch(() => {
        this.hasMicrophone.value = true;
        this.notice.value = null;
      });
    });
  }

  #listenToWords(on: Listen): void {
    let isTold = this.canResume.value;
    on('MESSAGE_HISTORY_UPDATED', (messages) => {
      this.messages.value = messages;
      // What was said before a reload was told to the page before it.
      if (isTold) {
        isTold = false;
        return;
      }
      const last = messages.at(-1);
      if (last !== undefined) this.#emit('message-received', { role: last.role, content: last.content });
    });
  }

  #reset(): void {
    batch(() => {
      this.phase.value = { name: 'starting', step: 'connecting' };
      this.messages.value = [];
      this.caption.value = null;
      this.holder.value = 'nobody';
      this.reconnecting.value = false;
      this.muted.value = false;
      this.hasMicrophone.value = false;
      this.waitsForMicrophone.value = this.#byVoice;
      this.notice.value = null;
      this.soundBlocked.value = false;
      this.pictureShown.value = false;
    });
  }

  #refuse(problem: Problem): void {
    this.phase.value = { name: 'refused', problem };
    this.#emit('error', { problem });
  }

  #waitForVisitor(): void {
    this.#hangUp();
    this.phase.value = { name: 'ready' };
  }

  #hangUp(): void {
    this.#attempt++;
    const client = this.#client;
    this.#client = null;
    removeEventListener('pagehide', this.#leave);
    void client?.stopStreaming();
  }

  #over(ending: Ending | null): void {
    this.#hangUp();
    if (ending !== null) this.#emit('error', { problem: ending });
    batch(() => {
      this.phase.value = { name: 'over', ending };
      this.holder.value = 'nobody';
      this.pictureShown.value = false;
      this.notice.value = null;
    });
  }
}

function withOpenMessage(
  messages: readonly Message[],
  caption: Caption | null,
): readonly Pick<Message, 'id' | 'role' | 'content'>[] {
  if (caption === null || caption.text === '' || messages.some(({ id }) => id === caption.messageId)) return messages;
  return [...messages, { id: caption.messageId, role: caption.role, content: caption.text }];
}

type ErrorOfClient = Error & Parameters<typeof problemOfClient>[0];

function isOfClient(error: unknown): error is ErrorOfClient {
  return error instanceof Error && error.name === 'ClientError';
}

function isExpired(error: unknown): boolean {
  return isOfClient(error) && error.code === 'token_expired';
}

function problemOf(error: unknown): Problem {
  if (error instanceof Refused) return error.problem;
  return isOfClient(error) ? problemOfClient(error) : 'unknown';
}
