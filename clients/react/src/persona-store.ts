import { ANY_TOOL, ClientError, createClient, type Client, type ClientOptions } from '@parley/client';
import { IDLE, type PersonaState } from './persona-state.ts';
import { runTool, type PersonaTools } from './tools.ts';

export interface PersonaStart {
  readonly sessionToken: string | (() => string | Promise<string>);
  readonly options: ClientOptions;
  /** Asked at each call, so that the tools of the latest rendering run. */
  readonly tools: () => PersonaTools;
  readonly video: HTMLVideoElement;
}

/** The conversation of one component, for `useSyncExternalStore`. */
export class PersonaStore {
  readonly #listeners = new Set<() => void>();
  #state: PersonaState = IDLE;
  #client: Client | null = null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): PersonaState => this.#state;

  /** Null when there is no conversation. */
  get client(): Client | null {
    return this.#client;
  }

  /** Resolves when the conversation runs or has failed; `error` says why. */
  async start({ sessionToken, options, tools, video }: PersonaStart): Promise<void> {
    if (this.#client !== null) return;
    this.#set({ ...IDLE, phase: 'starting' });
    let client: Client | null = null;
    try {
      client = createClient(sessionToken, options);
      this.#client = client;
      this.#listen(client);
      client.registerToolCallHandler(ANY_TOOL, { onStart: (call) => runTool(tools(), call) });
      await client.streamToVideoElement(video);
      if (this.#client === client) this.#set({ phase: 'live' });
    } catch (cause) {
      if (this.#client !== client) return;
      this.#client = null;
      const error = cause instanceof ClientError ? cause : new ClientError('configuration', String(cause), { cause });
      this.#set({ phase: 'ended', connection: 'closed', error });
    }
  }

  stop(): void {
    const client = this.#client;
    if (client === null) return;
    void client.stopStreaming();
    // If it is not over by that, its session had not begun, or was not there any more: there is no end to tell of.
    this.#over(client, {});
  }

  mute(muted: boolean): void {
    if (muted) this.#client?.muteInputAudio();
    else this.#client?.unmuteInputAudio();
    this.#set({ muted });
  }

  #listen(client: Client): void {
    const read = (): void => this.#set({ messages: client.getMessageHistory() });
    const permission = (): void => this.#set({ microphone: client.getInputAudioState().permissionState });
    client.addListener('CONNECTION_STATE_CHANGED', (connection) => this.#set({ connection }));
    client.addListener('FLOOR_CHANGED', (floor) => this.#set({ floor }));
    client.addListener('CAPTION_UPDATED', (caption) => this.#set({ caption }));
    client.addListener('MESSAGE_STREAM_EVENT_RECEIVED', read);
    client.addListener('MESSAGE_HISTORY_UPDATED', read);
    client.addListener('MIC_PERMISSION_PENDING', permission);
    client.addListener('MIC_PERMISSION_GRANTED', permission);
    client.addListener('MIC_PERMISSION_DENIED', (_message, error) => {
      permission();
      this.#set({ error });
    });
    client.addListener('INPUT_AUDIO_LOST', (error) => this.#set({ error }));
    client.addListener('INPUT_AUDIO_DEVICE_CHANGED', () => this.#set({ error: null }));
    client.addListener('CONNECTION_CLOSED', (_code, _details, end) => this.#over(client, { end, error: end.error }));
  }

  #over(client: Client, change: Partial<PersonaState>): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#set({ phase: 'ended', connection: 'closed', ...change });
  }

  #set(change: Partial<PersonaState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
