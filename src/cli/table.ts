/** Rows with aligned columns. If `columns` is given, longer lines are cut to that width. */
export function table(rows: readonly (readonly string[])[], columns: number | undefined): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => {
      const line = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ');
      return columns === undefined || line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
