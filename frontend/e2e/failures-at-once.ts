import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** The list after the last test is never reached by a stopped run. */
// biome-ignore lint/style/noDefaultExport: Playwright's contract.
export default class FailuresAtOnce implements Reporter {
  printsToStdio(): boolean {
    return false;
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === 'passed' || status === 'skipped') return;
    const reasons = errors.map(({ stack, message, value }) => stack ?? message ?? value ?? '');
    process.stderr.write(`${[test.titlePath().join(' › '), ...reasons].join('\n')}\n`);
  }
}
