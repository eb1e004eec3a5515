import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { stringify } from 'yaml';
import { readSettings } from '../../control/settings/settings.ts';
import { VERSION } from '../../runtime/version.ts';
import { TAKEN_SHARE } from './adapter-rules.ts';
import { podTemplate } from './pod-template.ts';

export const NAME = 'parley';
const LABELS = { 'app.kubernetes.io/name': NAME };
/** Where browsers reach the API: operators write their own name here. */
const HOST = 'talk.example.com';
/** As the service itself would choose them. */
const { PORT, PARLEY_UDP_PORT } = readSettings({});

/** A pod more is started when this share of all places is taken. A new one is ready within a minute. */
const WANTED_TAKEN_SHARE = '700m';
const PODS = { least: 2, most: 10 };
const DATA_SIZE = '20Gi';

/** What pods are told besides their secrets. */
export const ENVIRONMENT = {
  PARLEY_HOST: '0.0.0.0',
  PORT: String(PORT),
  PARLEY_UDP_PORT: String(PARLEY_UDP_PORT),
  PARLEY_PUBLIC_URL: `https://${HOST}`,
  PARLEY_TRUST_PROXY: 'true',
};

/** @returns the manifests of a deployment, checked against the schemas of Kubernetes, as one YAML file. */
export function buildManifests(): string {
  const manifests = [configMap(), ...services(), pods(), disruptionBudget(), autoscaler(), ingress()];
  for (const manifest of manifests) manifest.validate();
  const documents = manifests.map((manifest) =>
    stringify(manifest.toJSON(), { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  return `# Made by scripts/generate-docs.ts from deploy/kubernetes/build-manifests.ts: change that, not this file.
# docs/guides/kubernetes.md says what to put in place of talk.example.com and the image, and which secrets are needed.
${documents.join('---\n')}`;
}

const metadata = (name = NAME) => ({ name, labels: LABELS });

function configMap(): ConfigMap {
  return new ConfigMap({ metadata: metadata(), data: ENVIRONMENT });
}

function services(): Service[] {
  const http = { name: 'http', port: PORT, targetPort: 'http' };
  return [
    new Service({ metadata: metadata(), spec: { selector: LABELS, ports: [http] } }),
    // Gives each pod a name of its own.
    new Service({ metadata: metadata(`${NAME}-pods`), spec: { clusterIP: 'None', selector: LABELS, ports: [http] } }),
    // Has no pods: what the Ingress sends here is answered with 503.
    new Service({ metadata: metadata(`${NAME}-closed`), spec: { ports: [http] } }),
  ];
}

/** Pods keep their names, under which the database has their sessions, and their disks with uploads and recordings. */
function pods(): StatefulSet {
  return new StatefulSet({
    metadata: metadata(),
    spec: {
      serviceName: `${NAME}-pods`,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: LABELS },
      template: podTemplate({
        image: `registry.example.com/parley:${VERSION}`,
        labels: LABELS,
        configMap: NAME,
        secret: NAME,
        ports: { http: PORT, media: PARLEY_UDP_PORT },
      }),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: DATA_SIZE } } },
        },
      ],
    },
  });
}

/** Nodes are emptied one after the other: the pods of each wait until their conversations are over. */
function disruptionBudget(): PodDisruptionBudget {
  return new PodDisruptionBudget({
    metadata: metadata(),
    spec: { maxUnavailable: 1, selector: { matchLabels: LABELS } },
  });
}

/** Adds pods before all places are taken. It removes them slowly: a pod first waits until its conversations are over. */
function autoscaler(): HorizontalPodAutoscaler {
  return new HorizontalPodAutoscaler({
    metadata: metadata(),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: NAME },
      minReplicas: PODS.least,
      maxReplicas: PODS.most,
      metrics: [
        {
          type: 'Pods',
          pods: { metric: { name: TAKEN_SHARE }, target: { type: 'AverageValue', averageValue: WANTED_TAKEN_SHARE } },
        },
      ],
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 50, periodSeconds: 60 }] },
        scaleDown: { stabilizationWindowSeconds: 900, policies: [{ type: 'Pods', value: 1, periodSeconds: 300 }] },
      },
    },
  });
}

function ingress(): Ingress {
  const path = (path: string, name: string) => ({
    path,
    pathType: 'Prefix' as const,
    backend: { service: { name, port: { name: 'http' } } },
  });
  return new Ingress({
    metadata: {
      ...metadata(),
      annotations: {
        // A WebSocket is as old as its conversation.
        'haproxy.org/timeout-tunnel': '24h',
        'haproxy.org/forwarded-for': 'true',
      },
    },
    spec: {
      ingressClassName: 'haproxy',
      tls: [{ hosts: [HOST], secretName: `${NAME}-tls` }],
      rules: [
        {
          host: HOST,
          http: { paths: [path('/metrics', `${NAME}-closed`), path('/', NAME)] },
        },
      ],
    },
  });
}
