export { openMeetingConnector, type MeetingConnectorOptions } from './open-connector.ts';
export { recognizeMeeting } from './providers/registry.ts';
export type { VisitLimits } from './visit-limits.ts';
