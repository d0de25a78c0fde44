const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';

/** The supported conformance classes of CQL2 (OGC 21-065, clause 2). docs/experimenters.md lists all differences. */
export const CONFORMANCE_CLASSES: readonly string[] = [
  'basic-cql2',
  'advanced-comparison-operators',
  'case-insensitive-comparison',
  'accent-insensitive-comparison',
  'cql2-text',
  'cql2-json',
].map((name) => `${CQL2}/${name}`);
