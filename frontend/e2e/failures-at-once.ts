import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Tells why a test failed as soon as it has ended. The list tells it after the last test, which a stopped run never reaches. */
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
