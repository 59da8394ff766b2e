// What every connection to a project's own file is told first.

/** A change is on the disk once it is acknowledged, and the file is read as a stranger's. */
export const ownPragmas =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON'
