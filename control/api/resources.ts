import { apiKeys } from './api-keys/resource.ts';
import { avatars } from './avatars/resource.ts';
import { knowledge } from './knowledge/resource.ts';
import { llms } from './llms/resource.ts';
import { mcpServers } from './mcp-servers/resource.ts';
import { meetings } from './meetings/resource.ts';
import { operator } from './operator/resource.ts';
import { organization } from './organization/resource.ts';
import { personaFigures } from './persona-figures/resource.ts';
import { personaTests } from './persona-tests/resource.ts';
import { personas } from './personas/resource.ts';
import type { Resource } from '../http/resource.ts';
import { service } from './service/resource.ts';
import { sessionGrades } from './session-grades/resource.ts';
import { sessions } from './sessions/resource.ts';
import { shareLinks } from './share-links/resource.ts';
import { signIns } from './sign-ins/resource.ts';
import { tools } from './tools/resource.ts';
import { users } from './users/resource.ts';
import { videos } from './videos/resource.ts';
import { voices } from './voices/resource.ts';
import { webhooks } from './webhooks/resource.ts';
import { widget } from './widget/resource.ts';

/** Every resource of the API, in the order of the document at `/docs`. */
export const RESOURCES = [
  personas,
  personaFigures,
  personaTests,
  tools,
  mcpServers,
  voices,
  avatars,
  llms,
  knowledge,
  sessions,
  sessionGrades,
  webhooks,
  shareLinks,
  videos,
  meetings,
  widget,
  organization,
  apiKeys,
  users,
  signIns,
  operator,
  service,
] as const satisfies readonly Resource[];
