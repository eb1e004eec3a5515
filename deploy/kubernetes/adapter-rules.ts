import { stringify } from 'yaml';

/** Name under which the autoscaler asks for the share of a pod's places that are taken, 0…1. */
export const TAKEN_SHARE = 'parley_places_taken_share';

/**
 * @returns values for the Helm chart of prometheus-adapter. They make the metric that the autoscaler asks for: it needs
 * one that rises with the number of sessions, and machines differ in how many they carry.
 */
export function buildAdapterRules(): string {
  const sum = (metric: string): string => `sum(${metric}{<<.LabelMatchers>>}) by (<<.GroupBy>>)`;
  const free = sum('parley_sessions_free');
  const rule = {
    seriesQuery: 'parley_sessions_free{namespace!="",pod!=""}',
    resources: { overrides: { namespace: { resource: 'namespace' }, pod: { resource: 'pod' } } },
    name: { as: TAKEN_SHARE },
    metricsQuery: `1 - ${free} / clamp_min(${sum('parley_sessions_active')} + ${free}, 1)`,
  };
  return `# Made by scripts/generate-docs.ts from deploy/kubernetes/adapter-rules.ts: change that, not this file.
# Values for the Helm chart of prometheus-adapter, which gives the autoscaler its metric.
${stringify({ rules: { custom: [rule] } }, { lineWidth: 120 })}`;
}
