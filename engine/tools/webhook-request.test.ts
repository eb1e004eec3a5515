import { expect, it } from 'vitest';
import { webhookRequest, type WebhookTool } from './webhook-request.ts';

const CALL = { sessionId: 's', correlationId: 't', callId: 'c', traceparent: null };
const bodyOf = (args: Record<string, unknown>, more: Partial<WebhookTool> = {}): string | undefined =>
  webhookRequest(
    {
      kind: 'webhook',
      name: 'send',
      url: 'https://a.example',
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      queryParameters: null,
      bodyTemplate: null,
      variables: {},
      ...more,
    } as WebhookTool,
    args,
    CALL,
  ).body;

/** Twilio answered that nothing was sent: it got JSON that was called a form. */
it('arguments are sent as a form where the header says so', () => {
  expect(bodyOf({ To: '+49 30 1', tags: ['a', 'b'], at: { hour: 9 }, note: null })).toBe(
    'To=%2B49%2030%201&tags=a&tags=b&at=%7B%22hour%22%3A9%7D',
  );
});

it('and so is a template in JSON; one of another form stays as it is', () => {
  expect(bodyOf({ to: 'a&b' }, { bodyTemplate: '{"To":"{{to}}","From":"7"}' })).toBe('To=a%26b&From=7');
  expect(bodyOf({ to: 5 }, { bodyTemplate: 'To={{to}}' })).toBe('To=5');
});
