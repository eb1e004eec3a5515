import type { Resource } from '../../http/resource.ts';
import { inviteRoutes, type InviteRoutesParts } from './invite-routes.ts';
import { meetingErrors } from './meeting-errors.ts';
import { meetingExamples } from './meeting-examples.ts';
import { openCalendar, type OpenCalendarParts } from './open-calendar.ts';
import { visitRoutes, type VisitRoutesParts } from './visit-routes.ts';

export const meetings: Resource<OpenCalendarParts & InviteRoutesParts & VisitRoutesParts> = {
  tag: 'Meetings',
  description: 'Invitations of a persona to a video meeting.',
  // Who speaks to strangers in the name of an organization is told so by name.
  scopes: [{ name: 'meetings', byDefault: false }],
  errors: meetingErrors,
  examples: meetingExamples,
  routes(app, control) {
    const calendar = openCalendar(app, control);
    inviteRoutes(app, control, calendar);
    visitRoutes(app, control, calendar);
  },
};
