export interface MonthlyChanges {
  /** All months from the first to the last revision, such as `2024-01`. Quarters are named after their first month. */
  readonly months: readonly string[];
  /** The groups of changes, largest first. The array `counts` contains one number for each month. */
  readonly groups: readonly { readonly name: string; readonly counts: readonly number[]; readonly total: number }[];
  readonly mostInCell: number;
  /** The index of the last revision in each month or quarter. Omits months without a revision. */
  readonly lastRevisions: ReadonlyMap<string, number>;
}

/** Sums the counts of the three months of each quarter. */
export function quarterlyChanges({ months, groups, lastRevisions }: MonthlyChanges): MonthlyChanges {
  const quarterOf = (month: string) => {
    const first = Math.floor((Number(month.slice(5)) - 1) / 3) * 3 + 1;
    return `${month.slice(0, 5)}${String(first).padStart(2, '0')}`;
  };
  const quarters = [...new Set(months.map(quarterOf))];
  const placeOf = new Map(quarters.map((quarter, place) => [quarter, place]));
  const sums = groups.map(({ counts, ...group }) => {
    const own = quarters.map(() => 0);
    for (const [i, month] of months.entries()) {
      const place = placeOf.get(quarterOf(month)) ?? 0;
      own[place] = (own[place] ?? 0) + (counts[i] ?? 0);
    }
    return { ...group, counts: own };
  });
  return {
    months: quarters,
    groups: sums,
    mostInCell: Math.max(0, ...sums.map(({ counts }) => Math.max(...counts))),
    // If a key repeats, the map keeps the last entry. Each quarter therefore gets its last revision.
    lastRevisions: new Map(
      months.flatMap((month) => {
        const revision = lastRevisions.get(month);
        return revision === undefined ? [] : [[quarterOf(month), revision] as const];
      }),
    ),
  };
}
