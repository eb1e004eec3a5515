export { openMeetingConnector, type MeetingConnectorOptions } from './open-connector.ts';
export type { MeetingServer } from './providers/provider.ts';
export { neededLink, PROVIDERS, recognizeMeeting } from './providers/registry.ts';
export type { VisitLimits } from './visit-limits.ts';
