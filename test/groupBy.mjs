// For what configures vitest: it prints failures with Map.groupBy, which Node 20 does not have. Without this a failed test would break its own report.
if (!('groupBy' in Map)) {
  Object.assign(Map, {
    /**
     * @param {Iterable<unknown>} items
     * @param {(item: unknown) => unknown} keyOf
     */
    groupBy(items, keyOf) {
      const groups = new Map()
      for (const item of items) {
        const key = keyOf(item)
        groups.set(key, [...(groups.get(key) ?? []), item])
      }
      return groups
    },
  })
}
