import type { JSX } from 'preact';
import type { IconName } from '../components/icon.tsx';
import { may } from '../state/me.ts';
import { INVITATION, NEW, TALK } from '../state/route.ts';
import { ApiKeys } from '../views/api-keys/api-keys.tsx';
import { GroupEditor, NewGroup } from '../views/knowledge/group-editor.tsx';
import { GroupList } from '../views/knowledge/group-list.tsx';
import { LlmEditor } from '../views/llms/llm-editor.tsx';
import { LlmList } from '../views/llms/llm-list.tsx';
import { McpEditor } from '../views/mcp-servers/mcp-editor.tsx';
import { McpList } from '../views/mcp-servers/mcp-list.tsx';
import { Meetings } from '../views/meetings/meetings.tsx';
import { PersonaEditor } from '../views/persona-editor/persona-editor.tsx';
import { SessionList } from '../views/sessions/session-list.tsx';
import { SessionRecord } from '../views/sessions/session-record.tsx';
import { Settings } from '../views/settings.tsx';
import { Invitation } from '../views/sign-in/invitation.tsx';
import { Share } from '../views/share/share.tsx';
import { Gallery } from '../views/talk/gallery.tsx';
import { ToolEditor } from '../views/tools/tool-editor.tsx';
import { ToolList } from '../views/tools/tool-list.tsx';
import { UsageView } from '../views/usage/usage.tsx';
import { Users } from '../views/users/users.tsx';
import { Videos } from '../views/videos.tsx';
import { WebhookEditor } from '../views/webhooks/webhook-editor.tsx';
import { WebhookList } from '../views/webhooks/webhook-list.tsx';
import { Voices } from '../views/voices/voices.tsx';

/** @returns null for what does not exist yet. */
const existing = (id: string | null): string | null => (id === NEW ? null : id);

/** A view of the console, under `#/view` and `#/view/id`. */
export interface ConsolePage {
  readonly view: string;
  /** In the navigation; null: it is reached from other pages. */
  readonly label: string | null;
  readonly icon: IconName;
  /** What somebody needs to see it, and to change what is there. Absent: each part of it says so itself. */
  readonly scope?: string;
  /** There is nothing to change. */
  readonly isOnlySeen?: true;
  readonly show: (id: string | null) => JSX.Element;
}

export interface PageGroup {
  /** Null: without a heading. */
  readonly title: string | null;
  readonly pages: readonly ConsolePage[];
}

/** All views, in the order of the navigation. A new one is one line here. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    title: null,
    pages: [
      { view: TALK, label: 'Talk', icon: 'talk', show: () => <Gallery /> },
      { view: INVITATION, label: null, icon: 'person', show: (id) => <Invitation key={id} token={id ?? ''} /> },
      {
        view: 'personas',
        label: null,
        icon: 'talk',
        scope: 'personas',
        show: (id) => <PersonaEditor key={id ?? NEW} id={existing(id)} />,
      },
    ],
  },
  {
    title: 'Build',
    pages: [
      {
        view: 'tools',
        label: 'Tools',
        icon: 'tool',
        scope: 'tools',
        show: (id) => (id === null ? <ToolList /> : <ToolEditor key={id} id={existing(id)} />),
      },
      {
        view: 'knowledge',
        label: 'Knowledge',
        icon: 'book',
        scope: 'knowledge',
        show: (id) => (id === null ? <GroupList /> : id === NEW ? <NewGroup /> : <GroupEditor key={id} id={id} />),
      },
      {
        view: 'mcp-servers',
        label: 'MCP servers',
        icon: 'plug',
        scope: 'mcp-servers',
        show: (id) => (id === null ? <McpList /> : <McpEditor key={id} id={existing(id)} />),
      },
      {
        view: 'llms',
        label: 'LLMs',
        icon: 'chip',
        scope: 'llms',
        show: (id) => (id === null ? <LlmList /> : <LlmEditor key={id} id={existing(id)} />),
      },
      { view: 'voices', label: 'Voices', icon: 'voice', scope: 'voices', show: () => <Voices /> },
    ],
  },
  {
    title: 'Publish',
    pages: [
      { view: 'share', label: 'Share', icon: 'share', scope: 'share-links', show: (id) => <Share personaId={id} /> },
      { view: 'meetings', label: 'Meetings', icon: 'meeting', scope: 'meetings', show: () => <Meetings /> },
    ],
  },
  {
    title: 'Watch',
    pages: [
      {
        view: 'sessions',
        label: 'Sessions',
        icon: 'list',
        scope: 'sessions',
        show: (id) => (id === null ? <SessionList /> : <SessionRecord key={id} id={id} />),
      },
      { view: 'usage', label: 'Usage', icon: 'chart', scope: 'sessions', isOnlySeen: true, show: () => <UsageView /> },
      { view: 'videos', label: 'Videos', icon: 'film', scope: 'avatar-videos', show: () => <Videos /> },
    ],
  },
  {
    title: 'Manage',
    pages: [
      {
        view: 'webhooks',
        label: 'Webhooks',
        icon: 'send',
        scope: 'webhooks',
        show: (id) => (id === null ? <WebhookList /> : <WebhookEditor key={id} id={existing(id)} />),
      },
      { view: 'api-keys', label: 'API keys', icon: 'key', scope: 'api-keys', show: () => <ApiKeys /> },
      { view: 'users', label: 'Users', icon: 'person', scope: 'users', show: () => <Users /> },
      { view: 'settings', label: 'Settings', icon: 'gear', show: () => <Settings /> },
    ],
  },
];

/** Pages of the navigation that somebody may see. */
export function pagesToShow({ pages }: PageGroup): readonly ConsolePage[] {
  return pages.filter(({ label, scope }) => label !== null && (scope === undefined || may(scope, 'see')));
}

/** @returns the page of an address; an unknown address leads to the talk view. */
export function pageOf(view: string): ConsolePage {
  const pages = PAGE_GROUPS.flatMap((group) => group.pages);
  return pages.find((page) => page.view === view) ?? pages[0]!;
}
