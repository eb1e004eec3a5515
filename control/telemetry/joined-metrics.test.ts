import { expect, it } from 'vitest';
import { joinedMetrics } from './joined-metrics.ts';

const OWN = `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/a"} 3

# HELP idle Nothing yet.
# TYPE idle gauge
`;
const engine = (sessions: number): string => `# HELP sessions Live sessions.
# TYPE sessions gauge
sessions ${sessions}

# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/b"} 1
`;

it('describes each family once, and says of each sample whose it is', () => {
  const text = joinedMetrics(OWN, [
    { number: 1, text: engine(4) },
    { number: 2, text: engine(5) },
  ]);
  expect(text).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{route="/a"} 3
requests_total{route="/b",engine="1"} 1
requests_total{route="/b",engine="2"} 1

# HELP idle Nothing yet.
# TYPE idle gauge

# HELP sessions Live sessions.
# TYPE sessions gauge
sessions{engine="1"} 4
sessions{engine="2"} 5
`);
});

it('leaves the metrics of a process alone when there are no engines', () => {
  expect(joinedMetrics('# HELP a A.\n# TYPE a gauge\na 1\n', [])).toBe('# HELP a A.\n# TYPE a gauge\na 1\n');
});
