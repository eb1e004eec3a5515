import type { IPodTemplateSpec } from 'kubernetes-models/v1/PodTemplateSpec';

type Container = NonNullable<IPodTemplateSpec['spec']>['containers'][number];

interface PodOptions {
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Name of the ConfigMap with the settings. */
  readonly configMap: string;
  /** Name of the Secret with the secret settings. */
  readonly secret: string;
  readonly ports: { readonly http: number; readonly media: number };
}

/** Of the image. */
const USER = 10_001;
/**
 * How long the conversations of a pod may go on after it is to stop, s. Whoever still talks then is told that the
 * session ends.
 */
const GRACE_SECONDS = 3600;
/** Of that, how long a stop takes at most once it was asked for. */
const STOP_SECONDS = 30;

/** A pod of the service: one a node, because it has a port of the node for media. */
export function podTemplate(options: PodOptions): IPodTemplateSpec {
  const { labels, ports } = options;
  return {
    metadata: {
      labels: { ...labels },
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(ports.http),
        'prometheus.io/path': '/metrics',
        // A node with conversations is not removed to save money.
        'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
      },
    },
    spec: {
      terminationGracePeriodSeconds: GRACE_SECONDS,
      automountServiceAccountToken: false,
      // Kubernetes would set PARLEY_PORT and others for the services, and Parley refuses settings that it does not know.
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [container(options)],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  };
}

function container({ image, configMap, secret, ports }: PodOptions): Container {
  const get = (path: string) => ({ httpGet: { path, port: 'http' as const }, timeoutSeconds: 5 });
  return {
    name: 'parley',
    image,
    envFrom: [{ configMapRef: { name: configMap } }, { secretRef: { name: secret } }],
    env: [
      // Of several processes on a database, each has a name and an address of its own.
      { name: 'PARLEY_ENGINE_ID', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'PARLEY_NODE_URL', value: `http://$(POD_IP):${ports.http}` },
      // Browsers send their media to the node itself.
      { name: 'PARLEY_PUBLIC_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
    ],
    ports: [
      { name: 'http', containerPort: ports.http },
      { name: 'media-udp', protocol: 'UDP', containerPort: ports.media, hostPort: ports.media },
      { name: 'media-tcp', protocol: 'TCP', containerPort: ports.media, hostPort: ports.media },
    ],
    // It may start slowly while it measures the machine; later, 30 s without an answer mean that it hangs.
    startupProbe: { ...get('/healthz'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...get('/healthz'), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...get('/readyz'), periodSeconds: 5, failureThreshold: 2 },
    // The first process of the container takes no further session and waits. SIGTERM follows, which ends sessions.
    lifecycle: {
      preStop: { exec: { command: ['node', 'scripts/drain.ts', '1', String(GRACE_SECONDS - STOP_SECONDS)] } },
    },
    // Without a limit of CPU time: a pod that is held back at it sends late sound.
    resources: { requests: { cpu: '1500m', memory: '2Gi' }, limits: { memory: '4Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}
