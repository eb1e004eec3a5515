import type { TestResult } from './test-schema.ts';

/** The results as JUnit XML, which CI systems read. */
export function junitOf(suite: string, results: readonly TestResult[]): string {
  const failures = results.filter(({ passed }) => !passed).length;
  const counts = `tests="${results.length}" failures="${failures}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...results.map((result) => caseOf(suite, result)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(suite: string, result: TestResult): string {
  const seconds = result.attempts.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(result.name)}" time="${seconds.toFixed(3)}"`;
  if (result.passed) return `${head}/>`;
  const reasons = failureReasons(result);
  const failure = `<failure message="${escaped(reasons[0] ?? 'failed')}">${escaped(reasons.join('\n'))}</failure>`;
  return `${head}>\n      ${failure}\n    </testcase>`;
}

/** Why a test has failed, a sentence each. */
export function failureReasons({ attempts }: TestResult): string[] {
  return [
    ...new Set(
      attempts.flatMap(({ problem, checks }) => [
        ...(problem === null ? [] : [problem]),
        ...checks.filter(({ passed }) => !passed).map(({ what, why }) => `${what}: ${why}`),
      ]),
    ),
  ];
}

/** XML 1.0 has no place for other control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
