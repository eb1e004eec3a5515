import { request } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import type {
  DeliveryResponse,
  WebhookInput,
  WebhookResponse,
} from '../../../../control/api/webhooks/webhook-schema.ts';

export type Webhook = WebhookResponse;
export type Delivery = DeliveryResponse;
export type WebhookWithSecret = Webhook & { readonly secret: string };

export const listWebhooks = () => request<Page<Webhook>>('GET', '/v1/webhooks?perPage=100');
export const getWebhook = (id: string) => request<Webhook>('GET', `/v1/webhooks/${id}`);
export const createWebhook = (webhook: WebhookInput) => request<WebhookWithSecret>('POST', '/v1/webhooks', webhook);
export const updateWebhook = (id: string, webhook: WebhookInput) =>
  request<Webhook>('PUT', `/v1/webhooks/${id}`, webhook);
export const renewSecret = (id: string) => request<WebhookWithSecret>('POST', `/v1/webhooks/${id}/secret`);
export const sendTest = (id: string) => request<{ eventId: string }>('POST', `/v1/webhooks/${id}/test`);
export const listDeliveries = (id: string, page: number, status: string) =>
  request<Page<Delivery>>(
    'GET',
    `/v1/webhooks/${id}/deliveries?perPage=20&page=${page}${status === '' ? '' : `&status=${status}`}`,
  );
export const resend = (id: string, eventId: string) =>
  request<unknown>('POST', `/v1/webhooks/${id}/deliveries/${eventId}/resend`);
export const resendFailed = (id: string) => request<{ count: number }>('POST', `/v1/webhooks/${id}/resend-failed`);
