import { ListPage } from '../../components/list-page.tsx';
import { useLoaded } from '../../state/load.ts';
import { webhookBadges } from './event-wording.ts';
import { listWebhooks } from './webhook-api.ts';

export function WebhookList() {
  const webhooks = useLoaded('webhooks', listWebhooks);
  return (
    <ListPage
      title="Webhooks"
      text="Programs of yours that are told when something happens, for example that a session has ended."
      icon="send"
      make={{ label: 'New webhook', href: '#/webhooks/new' }}
      loaded={webhooks}
      rows={({ data }) =>
        data.map((webhook) => ({
          id: webhook.id,
          href: `#/webhooks/${webhook.id}`,
          title: webhook.description ?? webhook.url,
          text: webhook.description === null ? webhook.eventTypes.join(', ') : webhook.url,
          badges: webhookBadges(webhook),
        }))
      }
      empty="There are no webhooks yet. Add one, and your CRM learns of every session that has ended."
    />
  );
}
