import { batch, effect, signal } from '@preact/signals';
import {
  createClient,
  type Caption,
  type Client,
  type ConnectionState,
  type FloorHolder,
  type Message,
  type SessionEnd,
} from '../../../clients/js/src/index.ts';
import { requestSessionToken } from '../api/routes.ts';
import { type Companion, startProblem } from './companions.ts';
import { route } from './route.ts';
import { follow, note, noteMessage, stopFollowing } from './timeline.ts';
import { withExamples } from './trial-values.ts';
import { serviceUrl } from '../api/service.ts';

/** The conversation of this page: at most one. */
export type Phase = 'idle' | 'starting' | 'live' | 'over';

export const phase = signal<Phase>('idle');
export const persona = signal<Companion | null>(null);
export const sessionId = signal<string | null>(null);
export const link = signal<ConnectionState>('connecting');
export const stream = signal<MediaStream | null>(null);
export const messages = signal<readonly Message[]>([]);
export const caption = signal<Caption | null>(null);
export const holder = signal<FloorHolder>('nobody');
/** Messages for the user: a warning of the service, a refused microphone, the reason of the end. */
export const notice = signal<string | null>(null);
/** `asked`: the browser asks the user. `lost`: the last one was unplugged; another one is used as soon as it is there. */
export const microphone = signal<'off' | 'asked' | 'refused' | 'on' | 'lost'>('off');
export const muted = signal(false);

let client: Client | null = null;

export async function start(who: Companion, withMicrophone: boolean): Promise<void> {
  if (phase.value === 'starting' || phase.value === 'live') return;
  reset(who);
  const mine = createClient(async () => requestSessionToken(await withExamples(who.personaConfig)), {
    disableInputAudio: !withMicrophone,
    api: { baseUrl: serviceUrl() },
  });
  client = mine;
  listen(mine);
  try {
    await mine.stream();
  } catch (error) {
    // The end of a session that had started is told by an event.
    if (client === mine && (phase.value as Phase) === 'starting') over(startProblem(who, error));
  }
}

export function say(text: string): void {
  if (client?.isStreaming() === true && text.trim() !== '') client.sendUserMessage(text.trim());
}

export function interrupt(): void {
  client?.interruptPersona();
}

export function toggleMute(): void {
  muted.value = !muted.value;
  if (muted.value) client?.muteInputAudio();
  else client?.unmuteInputAudio();
}

/** Loudness of the microphone, 0…1. */
export function inputLevel(): number {
  return client?.getInputLevel() ?? 0;
}

export function hangUp(): void {
  over(null);
}

/** If another view is open at the end, the talk view returns to the choice of personas. */
effect(() => {
  if (phase.value === 'over' && route.value.view !== 'talk') leave();
});

/** Back to the choice of personas. */
export function leave(): void {
  over(null);
  phase.value = 'idle';
  persona.value = null;
}

function reset(who: Companion): void {
  batch(() => {
    phase.value = 'starting';
    persona.value = who;
    sessionId.value = null;
    link.value = 'connecting';
    stream.value = null;
    messages.value = [];
    caption.value = null;
    notice.value = null;
    microphone.value = 'off';
    muted.value = false;
    holder.value = 'nobody';
  });
}

function listen(to: Client): void {
  const read = (): void => {
    messages.value = to.getMessageHistory();
  };
  to.addListener('CONNECTION_STATE_CHANGED', (state) => onLink(to, state));
  to.addListener('VIDEO_STREAM_STARTED', (value) => {
    stream.value = value;
  });
  to.addListener('MIC_PERMISSION_PENDING', () => {
    microphone.value = 'asked';
  });
  to.addListener('MIC_PERMISSION_GRANTED', () => {
    microphone.value = 'on';
  });
  to.addListener('MIC_PERMISSION_DENIED', (message) => {
    microphone.value = 'refused';
    notice.value = `${message} You can still type.`;
  });
  to.addListener('INPUT_AUDIO_LOST', ({ message }) => {
    microphone.value = 'lost';
    notice.value = `The microphone is gone. ${message} Plug it in again, or type.`;
    note({ kind: 'network', label: 'Microphone lost' });
  });
  to.addListener('INPUT_AUDIO_DEVICE_CHANGED', () => {
    if (microphone.value === 'lost') notice.value = null;
    microphone.value = 'on';
  });
  to.addListener('MESSAGE_STREAM_EVENT_RECEIVED', read);
  to.addListener('MESSAGE_HISTORY_UPDATED', read);
  to.addListener('CAPTION_UPDATED', (value) => {
    caption.value = value;
  });
  to.addListener('FLOOR_CHANGED', (value) => {
    holder.value = value;
  });
  to.addListener('SERVER_MESSAGE_RECEIVED', noteMessage);
  to.addListener('SERVER_WARNING', (text) => {
    notice.value = text;
    note({ kind: 'service', label: text });
  });
  to.addListener('CONNECTION_CLOSED', (_code, _details, end) => onEnd(to, end));
}

function onLink(to: Client, state: ConnectionState): void {
  const labels = {
    connecting: 'Connecting',
    ready: link.value === 'reconnecting' ? 'Connected again' : 'Connected',
    reconnecting: 'Connection interrupted',
    closed: 'Disconnected',
  };
  if (state === 'connecting') {
    const id = to.getActiveSessionId();
    sessionId.value = id;
    if (id !== null) follow(id);
    phase.value = 'live';
  }
  note({ kind: 'network', label: labels[state] });
  link.value = state;
}

function onEnd(ended: Client, { reason, message }: SessionEnd): void {
  if (client === ended) over(reason === 'stopped' ? null : message);
}

/** @param text null when the user hung up. */
function over(text: string | null): void {
  if (phase.value === 'idle' || phase.value === 'over') return;
  stopFollowing(sessionId.value ?? undefined);
  const ending = client;
  client = null;
  void ending?.stopStreaming();
  batch(() => {
    microphone.value = 'off';
    stream.value = null;
    holder.value = 'nobody';
    notice.value = text;
    phase.value = 'over';
  });
}
