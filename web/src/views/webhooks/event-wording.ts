import type { WebhookInput } from '../../../../control/api/webhooks/webhook-schema.ts';
import type { Delivery, Webhook } from './webhook-api.ts';

export type EventName = NonNullable<WebhookInput['eventTypes']>[number];

/** What webhooks can be told of, as people say it. */
const SENTENCES: Readonly<Record<EventName, string>> = {
  'session.started': 'A session has started',
  'session.ended': 'A session has ended',
  'transcript.ready': 'A transcript is ready',
  'session.graded': 'A session was graded',
  'recording.ready': 'A recording is ready',
  'video.ready': 'A video is ready',
  'tool.failed': 'A tool call failed',
};
export const EVENTS = Object.entries(SENTENCES) as [EventName, string][];

const NAMES: ReadonlyMap<string, string> = new Map([...EVENTS, ['webhook.test', 'Test']]);
export const eventText = (type: string): string => NAMES.get(type) ?? type;

type Badge = { readonly text: string; readonly tone?: 'good' | 'bad' | 'warn' };

export function deliveryBadge({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Badge {
  if (status === 'delivered') return { text: 'Delivered', tone: 'good' };
  if (status === 'failed') return { text: 'Given up', tone: 'bad' };
  return attempts === 0 ? { text: 'Waits' } : { text: 'Tried again later', tone: 'warn' };
}

export function webhookBadges(webhook: Webhook): readonly Badge[] {
  if (!webhook.enabled) return [{ text: 'Off' }];
  return [
    ...(webhook.unreadable === true ? [{ text: 'Needs a new secret', tone: 'bad' } as const] : []),
    ...(webhook.failingSince === null ? [] : [{ text: 'Receiver fails', tone: 'bad' } as const]),
    ...(webhook.pendingCount === 0 ? [] : [{ text: `${webhook.pendingCount} wait` }]),
  ];
}
