import type { Attack } from '../attack.ts';
import { deepJson } from './deep-json.ts';
import { hostileDocuments } from './documents.ts';
import { hostileEndpoints } from './endpoints.ts';
import { floods } from './floods.ts';
import { livekitFloods } from './livekit-flood.ts';
import { longReplies } from './long-reply.ts';
import { mcpFloods } from './mcp-flood.ts';
import { realtimeFloods } from './realtime-flood.ts';
import { voiceClones } from './voice-clones.ts';

/** In the order in which they are run. */
export const ATTACKS: readonly Attack[] = [
  ...hostileDocuments,
  ...longReplies,
  ...hostileEndpoints,
  ...mcpFloods,
  ...deepJson,
  ...floods,
  ...realtimeFloods,
  ...voiceClones,
  ...livekitFloods,
];
