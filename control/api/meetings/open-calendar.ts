import { Gauge } from 'prom-client';
import type { App } from '../../http/app.ts';
import { localUrl } from '../../http/local-url.ts';
import { MeetingCalendar, type MeetingCalendarParts } from './meeting-calendar.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ControlPorts } from '../../ports.ts';
import type { ServiceMetrics } from '../../telemetry/prometheus.ts';
import type { Timers } from '../../../runtime/clock.ts';

/** What is taken of the service here. */
export type OpenCalendarParts = MeetingCalendarParts & {
  readonly settings: Pick<Settings, 'PARLEY_HOST'>;
  readonly ports: Pick<ControlPorts, 'meetings'>;
  readonly metrics: ServiceMetrics;
  readonly timers: Timers;
};

/**
 * The calendar of a service that can join meetings. It works while the service listens: the sessions of personas in
 * meetings are reached under the service's address. @returns null without a connector.
 */
export function openCalendar(app: App, control: OpenCalendarParts): MeetingCalendar | null {
  const { ports, settings, timers, metrics, reservations } = control;
  if (ports.meetings === null) return null;
  const calendar = new MeetingCalendar({
    control,
    connector: ports.meetings,
    localUrl: () => localUrl(app.server, settings.PARLEY_HOST),
    timers,
  });
  app.addHook('onListen', () => calendar.start());
  app.addHook('preClose', () => calendar.close());
  metrics.registry.registerMetric(
    new Gauge({
      name: 'parley_meetings_active',
      help: 'Personas that are in meetings, or on their way.',
      registers: [],
      collect() {
        this.set(calendar.visiting);
      },
    }),
  );
  metrics.registry.registerMetric(
    new Gauge({
      name: 'parley_places_reserved',
      help: 'Places for sessions that are kept free for scheduled meetings now.',
      registers: [],
      collect() {
        this.set(reservations.count(null, null));
      },
    }),
  );
  return calendar;
}
