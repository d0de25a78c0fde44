/** Runs the slowest test files first, so that no worker is left alone with one of them at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes minutes, longest first. Vitest itself sorts by file size until it has seen a run. */
const SLOW = [
  'browser/explorer',
  'e2e/publish/publish-bucket-faults',
  'docs/pages',
  'real/crawl',
  'e2e/registry/edit-killed',
  'e2e/hosts/servers',
  'e2e/verify/verify',
  'e2e/build/build',
  'e2e/publish/publish-bucket',
  'e2e/publish/prune-bucket',
  'e2e/bundle/bundle-interrupted',
  'e2e/bundle/bundle',
  'e2e/build/build-interrupted',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank < 0 ? SLOW.length : rank;
}
